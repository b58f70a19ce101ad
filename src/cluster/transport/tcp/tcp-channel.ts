import type { Socket } from "node:net";
import type { ChannelReceiver, FrameChannel } from "../channel.ts";
import { FrameReader, prefixBytes } from "./frame-reader.ts";

/**
 * Fits a message of 256 KiB with its head. Plain TLS over loopback was as fast for writes of 64 KiB to 4
 * MiB, and larger frames delay other streams' messages for longer.
 */
const frameBytes = 2 ** 18 + 2 ** 13;

/** Parts up to this length are copied, so that short frames are written together. */
const copiedBytes = 2 ** 12;

/** Longer than any header with a copied part. */
const gatheredBytes = 2 ** 16;

/** Bytes waiting to be written at which the channel stops being writable. */
const highWaterBytes = 2 ** 20;

/** After `close`, the time that the other side has to receive what was posted. */
const lingerMs = 5000;

/** Frames over a socket whose other end has proved that it holds the room's key. */
export class TcpChannel implements FrameChannel {
  readonly path = "tcp";
  readonly frameBytes = frameBytes;
  /** Resolves when the connection has ended and the other side has received everything or never will. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  #receiver: ChannelReceiver | undefined;
  /** Short frames and headers; those from `begin` to `end` are not written yet. */
  #gathered = Buffer.alloc(0);
  #begin = 0;
  #end = 0;
  #isGathering = false;
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
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#written();
        this.#lose(this.#problem);
        resolve();
      });
    });
  }

  /** Bytes posted but not yet accepted by the system. */
  get waitingBytes(): number {
    return this.#socket.writableLength + this.#end - this.#begin;
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
      receiver.activity?.();
      const malformed = reader.read(chunk, isOpen);
      if (malformed === undefined) return;
      this.#lose(`Another rank ${malformed}.`, "expelled");
      this.#socket.destroy();
    });
    // A peer that closes its half does not read any more either.
    this.#socket.on("end", () => this.#socket.destroy());
  }

  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed || this.#socket.destroyed) return undefined;
    const length = header.length + part.length;
    const isCopied = part.length <= copiedBytes;
    this.#gather(prefixBytes + (isCopied ? length : header.length));
    this.#gathered.writeUInt32LE(length, this.#end);
    this.#gathered.set(header, this.#end + prefixBytes);
    this.#end += prefixBytes + header.length;
    if (isCopied) {
      this.#gathered.set(part, this.#end);
      this.#end += part.length;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#flush();
      this.#socket.write(part, (error) => {
        this.#written();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  writable(): Promise<void> | undefined {
    if (this.waitingBytes < highWaterBytes || this.#socket.destroyed) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    if (this.#socket.destroyed) return;
    const linger = setTimeout(() => this.#socket.destroy(), lingerMs);
    this.#socket.on("close", () => clearTimeout(linger));
    // Reads and drops what the other side still sends; otherwise the system would reset the connection and
    // lose our last bytes.
    this.#socket.resume();
    this.#socket.end();
  }

  /**
   * Makes room for this many bytes after those already gathered, which are written at the end of this turn
   * of the event loop.
   */
  #gather(bytes: number): void {
    if (this.#end + bytes > this.#gathered.length) {
      this.#flush();
      this.#gathered = Buffer.allocUnsafeSlow(gatheredBytes);
      this.#begin = this.#end = 0;
    }
    if (this.#isGathering) return;
    this.#isGathering = true;
    process.nextTick(() => {
      this.#isGathering = false;
      this.#flush();
    });
  }

  #flush(): void {
    const { destroyed } = this.#socket;
    if (this.#begin < this.#end && !destroyed) {
      this.#socket.write(this.#gathered.subarray(this.#begin, this.#end), this.#written);
    }
    this.#begin = this.#end;
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
