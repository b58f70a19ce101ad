/**
 * How two ranks reach each other: within a process, within a browser, anywhere (WebRTC), between Node
 * processes, or through an MPI library.
 */
export type Path = "memory" | "port" | "rtc" | "tcp" | "mpi";

/**
 * A message: a head that describes it (at most 4096 bytes), and a body. The receiver owns received
 * messages: nobody else reads or changes their bytes.
 */
export interface Message {
  /**
   * Streams 0 … 15 share a link's bandwidth; messages of one stream stay in order, those of different
   * streams may overtake each other.
   */
  readonly stream: number;
  readonly head: Uint8Array;
  /** Starts at a multiple of 8 bytes in its buffer. */
  readonly body: Uint8Array;
}

/** Bytes and whole messages, including heads and headers. */
export interface Traffic {
  readonly sentBytes: number;
  readonly sentMessages: number;
  readonly receivedBytes: number;
  readonly receivedMessages: number;
}

/**
 * Why a link ended. `goodbye`: the other side closed it and said why. `lost`: it broke, or the other side
 * vanished. `expelled`: the other side sent something invalid, described by `problem`. `closed`: this side
 * closed it.
 */
export interface LinkEnd {
  readonly cause: "goodbye" | "lost" | "expelled" | "closed";
  readonly problem: string;
}

/** A message whose head has arrived. */
export interface MessageHeader {
  readonly stream: number;
  readonly head: Uint8Array;
  readonly bodyBytes: number;
}

export interface LinkReceiver {
  /**
   * Memory for the body of a message that comes in several frames: exactly as long, and not to be used
   * until `message` returns it (if the link ends, it may hold part of the body). Undefined: new memory.
   * Null: the bytes are dropped as they arrive.
   */
  allocate?(message: MessageHeader): Uint8Array | null | undefined;
  /** Whole messages, each delivered once, in sending order within a stream. */
  message(message: Message): void;
  /** Called once, after the last message. */
  ended(end: LinkEnd): void;
}

/** A connection between two ranks: ordered, reliable, with backpressure on both sides. */
export interface Link {
  readonly path: Path;
  readonly traffic: Traffic;
  /** When the last bytes arrived, in milliseconds of the link's clock: any byte is a sign of life. */
  readonly lastReceivedAt: number;
  /** Messages that arrive earlier are buffered, within the window. */
  start(receiver: LinkReceiver): void;
  /**
   * Resolves when the body may be changed again. Waits until the other side reads more, so that at most a
   * window is in flight however slowly it reads. Rejects with LinkClosed if the link ends first, and with
   * BadArgument if the head or body is too long or the stream does not exist.
   */
  send(message: Message): Promise<void>;
  /**
   * Drops messages with matching heads: queued ones are not sent, the rest of a message in progress is
   * aborted, and the rest of a partly received one is discarded. Their sends resolve.
   */
  drop(isUnwanted: (head: Uint8Array) => boolean): void;
  /** Says goodbye after the frames already posted, then ends; unfinished sends reject. */
  close(reason: string): void;
}

/**
 * What a rank lets another one send. `messageBytes` may change over time and applies to messages that begin
 * afterwards.
 */
export interface LinkLimits {
  /** A longer message expels its sender before any memory is allocated. */
  readonly messageBytes: number;
  /** Unacknowledged bytes in flight: 1 MiB or more. */
  readonly windowBytes: number;
}

export const defaultLimits: LinkLimits = { messageBytes: 2 ** 31, windowBytes: 2 ** 23 };
