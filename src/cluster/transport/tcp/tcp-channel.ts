import type { Socket } from "node:net";
import type { ChannelReceiver, FrameChannel } from "../channel.ts";
import { FrameReader, prefixBytes } from "./frame-reader.ts";

/** Measured over loopback: larger frames are no faster, and hold up other streams' messages for longer. */
const frameBytes = 2 ** 18;

/** Parts up to this long are copied behind their header: one write instead of two. */
const copiedBytes = 2 ** 12;

/** Bytes that wait for the system from which on there is no room. */
const highWaterBytes = 2 ** 20;

/** After `close`, the other side has this long to take what was posted. */
const lingerMs = 5000;

/** Frames over a socket whose other end has proved that it holds the room's key. */
export class TcpChannel implements FrameChannel {
  readonly path = "tcp";
  readonly frameBytes = frameBytes;
  readonly #socket: Socket;
  #receiver: ChannelReceiver | undefined;
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;
  #isLost = false;
  #problem = "The other side closed the connection.";

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", (error) => {
      this.#problem = `The connection broke: ${error.message}.`;
    });
    socket.on("close", () => {
      this.#written();
      this.#lose(this.#problem);
    });
  }

  /** Bytes that were posted and that the system has not taken. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    if (this.#socket.destroyed) {
      if (!this.#isClosed) receiver.lost(this.#problem);
      return;
    }
    const reader = new FrameReader(frameBytes, receiver);
    const isOpen = () => !this.#isClosed;
    this.#socket.on("data", (chunk: Uint8Array) => {
      receiver.heard?.();
      const malformed = reader.read(chunk, isOpen);
      if (malformed === undefined) return;
      this.#lose(`Another rank ${malformed}.`, "expelled");
      this.#socket.destroy();
    });
    // Whoever closes its half will take nothing either.
    this.#socket.on("end", () => this.#socket.destroy());
  }

  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed || this.#socket.destroyed) return undefined;
    const length = header.length + part.length;
    const isCopied = part.length <= copiedBytes;
    const lead = Buffer.allocUnsafe(prefixBytes + (isCopied ? length : header.length));
    lead.writeUInt32LE(length, 0);
    lead.set(header, prefixBytes);
    if (isCopied) {
      lead.set(part, prefixBytes + header.length);
      this.#socket.write(lead, this.#written);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#socket.cork();
      this.#socket.write(lead);
      this.#socket.write(part, (error) => {
        this.#written();
        if (error) reject(error);
        else resolve();
      });
      this.#socket.uncork();
    });
  }

  room(): Promise<void> | undefined {
    if (this.waitingBytes < highWaterBytes || this.#socket.destroyed) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const linger = setTimeout(() => this.#socket.destroy(), lingerMs);
    this.#socket.on("close", () => clearTimeout(linger));
    // What the other side still sends is read and dropped, or the system would reset the connection with our last bytes.
    this.#socket.resume();
    this.#socket.end();
  }

  readonly #written = () => {
    if (this.#waiting.length === 0) return;
    if (this.waitingBytes >= highWaterBytes && !this.#socket.destroyed) return;
    for (const go of this.#waiting.splice(0)) go();
  };

  #lose(problem: string, how?: "expelled"): void {
    this.#problem = problem;
    if (this.#isClosed || this.#isLost || !this.#receiver) return;
    this.#isLost = true;
    this.#receiver.lost(problem, how);
  }
}
