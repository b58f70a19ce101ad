import { isGoodbye } from "../../wire/frame.ts";
import type { ChannelReceiver, FrameChannel } from "../channel.ts";

/** The largest message that every browser accepts; smaller ones are slower. */
export const frameBytes = 2 ** 18;

/** Buffered bytes at which the channel stops being writable, and at which it is writable again. */
const highWaterBytes = 2 ** 20;
const lowWaterBytes = 2 ** 19;

/** Bytes that may arrive before `start`: enough for a handshake and what closely follows it. */
const maxEarlyBytes = 2 ** 23;

/**
 * Sent last on both channels: a channel that closes does not show that everything arrived (libdatachannel).
 */
const farewell = "closed";

/** After `close`, the time that the other side has to receive what was posted and to close the connection. */
const lingerMs = 5000;

/**
 * Two channels of a connection with ids known to both ends, so that a long message does not delay short
 * ones.
 */
export interface ChannelPair {
  readonly control: RTCDataChannel;
  readonly bulk: RTCDataChannel;
}

/** PeerJS's own channel has id 0 or 1. */
const numbers = { control: 2, bulk: 3 } as const;

/**
 * Must be called before the connection is made. The channels can only be transferred to a worker in the
 * same task.
 */
export function createPair(connection: RTCPeerConnection): ChannelPair {
  const create = (name: keyof typeof numbers) =>
    connection.createDataChannel(name, { negotiated: true, id: numbers[name], ordered: true });
  return { control: create("control"), bulk: create("bulk") };
}

/**
 * Frames over WebRTC, one per message. Those of stream 0 and the link's own use `control`, the others use
 * `bulk`; a goodbye goes over both and is delivered when the second copy has arrived, after everything
 * posted before it.
 */
export class RtcChannel implements FrameChannel {
  readonly path = "rtc";
  readonly frameBytes = frameBytes;
  /** Resolves when both channels are open. */
  readonly opened: Promise<void>;
  readonly #channels: readonly [control: RTCDataChannel, bulk: RTCDataChannel];
  readonly #over: () => void;
  readonly #scratch = new Uint8Array(frameBytes);
  readonly #early: Uint8Array[] = [];
  #earlyBytes = 0;
  readonly #waiting: (() => void)[] = [];
  #receiver: ChannelReceiver | undefined;
  #goodbye: Uint8Array | undefined;
  #farewells = 0;
  #isClosed = false;
  #loss: { readonly problem: string; readonly how?: "expelled" } | undefined;
  #isOver = false;
  #stopLinger = () => {};

  /** Calls `over` once when nothing more is sent or received: the connection can be closed. */
  constructor({ control, bulk }: ChannelPair, over: () => void) {
    this.#channels = [control, bulk];
    this.#over = over;
    const opened = this.#channels.map((channel) => {
      channel.binaryType = "arraybuffer";
      channel.bufferedAmountLowThreshold = lowWaterBytes;
      channel.onmessage = ({ data }) => this.#take(data);
      channel.onbufferedamountlow = () => this.#go();
      channel.onclose = () => this.#channelClosed();
      return new Promise<void>((resolve) => {
        channel.onopen = () => resolve();
        if (channel.readyState === "open") resolve();
      });
    });
    this.opened = Promise.all(opened).then(() => {});
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    for (const bytes of this.#early.splice(0)) if (!this.#isClosed) receiver.frame(bytes);
    if (this.#loss) this.#reportLoss(this.#loss);
  }

  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): undefined {
    if (this.#isClosed || this.#loss) return;
    const length = header.length + part.length;
    this.#scratch.set(header);
    this.#scratch.set(part, header.length);
    const frame = this.#scratch.subarray(0, length);
    const [control, bulk] = this.#channels;
    if (isGoodbye(header)) this.#sendBoth(frame);
    else this.#send(header[1] === 0 ? control : bulk, frame);
  }

  writable(): Promise<void> | undefined {
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    if (this.#isClosed || this.#loss) return;
    this.#isClosed = true;
    this.#go();
    const timer = setTimeout(() => this.#finish(), lingerMs);
    this.#stopLinger = () => clearTimeout(timer);
    this.#sendBoth(farewell);
    if (this.#farewells === 2) this.#finish();
  }

  /** Ends the channel as lost because the connection is known to have broken. */
  fail(problem: string): void {
    this.#lose(problem);
  }

  #sendBoth(data: Uint8Array<ArrayBuffer> | string): void {
    for (const channel of this.#channels) this.#send(channel, data);
  }

  #send(channel: RTCDataChannel, data: Uint8Array<ArrayBuffer> | string): void {
    try {
      // The types omit that a channel takes either.
      channel.send(data as string);
    } catch {
      this.#lose("The connection does not accept more messages.");
    }
  }

  #hasRoom(): boolean {
    if (this.#isClosed || this.#loss) return true;
    return this.#channels.every(({ bufferedAmount }) => bufferedAmount < highWaterBytes);
  }

  #go(): void {
    if (this.#waiting.length === 0 || !this.#hasRoom()) return;
    for (const go of this.#waiting.splice(0)) go();
  }

  #take(data: unknown): void {
    if (data === farewell && ++this.#farewells === 2) this.#allClosed();
    if (data === farewell || this.#isClosed || this.#loss) return;
    if (!(data instanceof ArrayBuffer) || data.byteLength === 0 || data.byteLength > frameBytes) {
      this.#lose("Another rank sent something other than a frame.", "expelled");
      return;
    }
    const bytes = new Uint8Array(data);
    if (isGoodbye(bytes) && !this.#goodbye) this.#goodbye = bytes;
    else this.#deliver(bytes);
  }

  #deliver(bytes: Uint8Array): void {
    if (this.#receiver) {
      this.#receiver.frame(bytes);
      return;
    }
    this.#early.push(bytes);
    this.#earlyBytes += bytes.length;
    if (this.#earlyBytes > maxEarlyBytes) {
      this.#early.length = 0;
      this.#lose("Another rank sent too much before the link was started.", "expelled");
    }
  }

  #channelClosed(): void {
    // What is in transit on the other channel arrives before that one closes.
    if (this.#channels.every(({ readyState }) => readyState === "closed")) this.#allClosed();
  }

  #allClosed(): void {
    if (this.#isClosed) this.#finish();
    else this.#lose("The other side closed the connection.");
  }

  #lose(problem: string, how?: "expelled"): void {
    if (this.#loss || this.#isClosed) return;
    this.#loss = { problem, how };
    this.#go();
    if (this.#receiver) this.#reportLoss(this.#loss);
    this.#finish();
  }

  #reportLoss({ problem, how }: { readonly problem: string; readonly how?: "expelled" }): void {
    const goodbye = this.#goodbye;
    this.#goodbye = undefined;
    if (goodbye && !how) this.#receiver?.frame(goodbye);
    this.#receiver?.lost(problem, how);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopLinger();
    for (const channel of this.#channels)
      channel.onmessage = channel.onclose = channel.onbufferedamountlow = null;
    this.#over();
  }
}
