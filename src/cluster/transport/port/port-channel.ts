import type { ChannelReceiver, FrameChannel } from "../channel.ts";

/** What a browser's MessagePort and Node's have in common. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  addEventListener(type: "close", listener: () => void): void;
  close(): void;
}

/**
 * Fits a message of 4 MiB with its head: a message of one frame is not copied on arrival. Between tabs,
 * frames of 1 to 4 MiB differed by less than the noise of a busy machine.
 */
const frameBytes = 2 ** 22 + 2 ** 13;

/** Posted last: not every browser reports that the other side closed a port. */
const farewell = "closed";

/**
 * Frames over a MessagePort, within one browser or between the threads of a process: array buffers are
 * transferred. Only the link's window limits what is queued in a port. If the other side ends without
 * closing, the port's `close` event reports it where it exists (in Node; not in Chromium 156); elsewhere
 * whoever noticed the released lock (rendezvous.ts) calls `fail`.
 */
export class PortChannel implements FrameChannel {
  readonly path = "port";
  readonly frameBytes = frameBytes;
  readonly #port: Port;
  #receiver: ChannelReceiver | undefined;
  #isOver = false;
  #problem: string | undefined;

  constructor(port: Port) {
    this.#port = port;
    port.addEventListener("close", () => this.fail("The other side went away."));
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    if (this.#problem !== undefined) receiver.lost(this.#problem);
    if (this.#isOver) return;
    this.#port.onmessageerror = () => this.#lose("Another rank posted an unreadable message.", "expelled");
    this.#port.onmessage = ({ data }) => {
      if (this.#isOver) return;
      if (data === farewell) this.fail("The other side closed the port.");
      else if (!(data instanceof ArrayBuffer))
        this.#lose("Another rank posted something other than a frame.", "expelled");
      else if (data.byteLength === 0 || data.byteLength > frameBytes) {
        const allowed = `but 1 to ${frameBytes} are allowed`;
        this.#lose(`Another rank posted a frame of ${data.byteLength} bytes, ${allowed}.`, "expelled");
      } else receiver.frame(new Uint8Array(data));
    };
  }

  /** Ends the channel as lost because the other side is known to have ended. */
  fail(problem: string): void {
    this.#lose(problem);
  }

  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): undefined {
    if (this.#isOver) return;
    const bytes = new Uint8Array(header.length + part.length);
    bytes.set(header);
    bytes.set(part, header.length);
    this.#port.postMessage(bytes.buffer, [bytes.buffer]);
  }

  writable(): undefined {}

  close(): void {
    if (this.#isOver) return;
    this.#port.postMessage(farewell, []);
    this.#end();
  }

  #lose(problem: string, how?: "expelled"): void {
    if (this.#isOver) return;
    this.#problem = problem;
    this.#end();
    this.#receiver?.lost(problem, how);
  }

  #end(): void {
    this.#isOver = true;
    this.#port.close();
  }
}
