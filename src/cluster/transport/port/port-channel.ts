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
 * A message of 4 MiB with its head: what comes in one frame is not copied when it arrives. Between tabs, frames of 1 to 4
 * MiB differed by less than a busy machine's noise.
 */
const frameBytes = 2 ** 22 + 2 ** 13;

/** Posted last: not every browser tells that the other side closed a port. */
const farewell = "closed";

/**
 * Frames over a MessagePort, within one browser or between the threads of a process: array buffers that change hands.
 * Nothing but the link's window holds back what waits in a port. That the other side ended without closing is told by
 * the port's `close` event where there is one (Node; in Chromium 156 not yet), elsewhere by whoever learned it from a
 * lock (meet.ts), through `fail`.
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
    this.#port.onmessageerror = () => this.#lose("Another rank posted what cannot be read.", "expelled");
    this.#port.onmessage = ({ data }) => {
      if (this.#isOver) return;
      if (data === farewell) this.fail("The other side closed the port.");
      else if (!(data instanceof ArrayBuffer))
        this.#lose("Another rank posted what is no frame.", "expelled");
      else if (data.byteLength === 0 || data.byteLength > frameBytes) {
        const allowed = `where 1 to ${frameBytes} are allowed`;
        this.#lose(`Another rank posted a frame of ${data.byteLength} bytes, ${allowed}.`, "expelled");
      } else receiver.frame(new Uint8Array(data));
    };
  }

  /** Ends the channel as lost: the other side is known to have ended. */
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
