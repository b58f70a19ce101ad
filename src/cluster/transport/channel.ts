import type { Path } from "./link.ts";

/** Memory for the bytes that follow a frame's header. */
export interface ReceiveBuffer {
  readonly into: Uint8Array;
  /** The memory is filled: the frame is complete. */
  done(): void;
}

export interface ChannelReceiver {
  /** A whole frame as it was posted; the receiver owns its buffer. */
  frame(bytes: Uint8Array): void;
  /**
   * For channels that can receive in place: the first 16 bytes of a frame have arrived and `length` more
   * follow. If undefined, `frame` gets the whole frame.
   */
  bufferFor?(header: Uint8Array, length: number): ReceiveBuffer | undefined;
  /** Bytes of an incomplete frame have arrived. */
  activity?(): void;
  /**
   * Called once when the other side closed the channel or went away, or sent an invalid frame (`expelled`).
   * Not called after `close`.
   */
  lost(problem: string, how?: "expelled"): void;
}

/**
 * What a transport provides: frames to one other rank, each delivered once, in posting order within a
 * stream (byte 1 of the header); a frame that closes a link comes last. Links run over channels
 * (framed-link.ts).
 */
export interface FrameChannel {
  readonly path: Path;
  /** The maximum length of a frame in bytes. */
  readonly frameBytes: number;
  /** Delivers frames, including those that arrived before. */
  start(receiver: ChannelReceiver): void;
  /** Sends `header` and `part` as one frame; the promise, if any, resolves when `part` may be changed. */
  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): Promise<void> | undefined;
  /**
   * Undefined if more can be posted now; otherwise a promise that resolves once the outgoing buffer has
   * drained.
   */
  writable(): Promise<void> | undefined;
  /** Sends what was posted, then closes. */
  close(): void;
}
