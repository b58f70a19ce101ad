import type { Path } from "./link.ts";

/** Memory for what follows a frame's header. */
export interface ReceiveBuffer {
  readonly into: Uint8Array;
  /** It is filled: the frame has come. */
  done(): void;
}

export interface ChannelReceiver {
  /** A whole frame, as it was posted; its buffer belongs to the receiver. */
  frame(bytes: Uint8Array): void;
  /**
   * For channels that choose where they receive: the first 16 bytes of a frame have come, `length` more follow. Undefined:
   * `frame` is to have it whole.
   */
  bufferFor?(header: Uint8Array, length: number): ReceiveBuffer | undefined;
  /** Bytes came, of a frame that is not whole yet. */
  activity?(): void;
  /**
   * Once: the other side closed the channel or went away, or (`expelled`) sent what is no frame. Not after one's own
   * `close`.
   */
  lost(problem: string, how?: "expelled"): void;
}

/**
 * What a transport is: frames to one other rank, each once, those of a stream (byte 1 of the header) in the order in
 * which they were posted; what closes a link comes last. Links are made of channels (framed-link.ts).
 */
export interface FrameChannel {
  readonly path: Path;
  /** The most bytes of a frame. */
  readonly frameBytes: number;
  /** Frames that arrived before are handed over then. */
  start(receiver: ChannelReceiver): void;
  /** Sends `header` and `part` as one frame; the promise, where there is one, resolves when `part` may be changed. */
  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): Promise<void> | undefined;
  /** What waits to leave would fill memory: resolves when more may be posted. Undefined: now. */
  writable(): Promise<void> | undefined;
  /** Sends what was posted, then closes. */
  close(): void;
}
