/** How two ranks reach each other: within a process, a browser, anywhere, between Node processes. */
export type Path = "memory" | "port" | "rtc" | "tcp";

/**
 * A message: a head that says what it is (at most 4096 bytes), and its body. Received ones are the receiver's: their
 * bytes stay as they are, and nobody else reads them.
 */
export interface Message {
  /** Streams 0 … 15 of a link share its rate; messages of one stay in order, those of others may overtake. */
  readonly stream: number;
  readonly head: Uint8Array;
  /** Begins at a multiple of 8 bytes of its buffer. */
  readonly body: Uint8Array;
}

/** Bytes and whole messages, heads and headers included. */
export interface Traffic {
  readonly sentBytes: number;
  readonly sentMessages: number;
  readonly receivedBytes: number;
  readonly receivedMessages: number;
}

/**
 * Why a link ended. `goodbye`: the other side closed it, and said why. `lost`: it broke, or the other side went away
 * without a word. `expelled`: the other side sent what it must not; `problem` says what. `closed`: this side closed it.
 */
export interface LinkEnd {
  readonly cause: "goodbye" | "lost" | "expelled" | "closed";
  readonly problem: string;
}

/** A message of which the head has come. */
export interface MessageHeader {
  readonly stream: number;
  readonly head: Uint8Array;
  readonly bodyBytes: number;
}

export interface LinkReceiver {
  /**
   * Where the body of a message is to be received that comes in several frames: as many bytes, not to be used before
   * `message` hands them back (or the link ends: they hold part of it then). Undefined: in new memory. Null: nowhere; its
   * bytes are dropped as they come.
   */
  allocate?(message: MessageHeader): Uint8Array | null | undefined;
  /** Whole messages, each once, those of a stream in the order in which they were sent. */
  message(message: Message): void;
  /** Once, after the last message. */
  ended(end: LinkEnd): void;
}

/** A connection between two ranks: ordered, reliable, with backpressure on both sides. */
export interface Link {
  readonly path: Path;
  readonly traffic: Traffic;
  /** When the last bytes came, in milliseconds of the link's clock: any byte is a sign of life. */
  readonly lastReceivedAt: number;
  /** Messages that arrive before are kept, within the window. */
  start(receiver: LinkReceiver): void;
  /**
   * Resolves when the body may be changed again, which waits until the other side takes more: what is under way stays
   * within a window, however slowly it reads. Rejects with LinkClosed where the link ends first, BadArgument where the
   * head or body is too long or there is no such stream.
   */
  send(message: Message): Promise<void>;
  /**
   * Lets go of messages with such heads: those that wait to be sent are not, nor is the rest of one that has begun, whose
   * receiver drops it; of those that are half received the rest is dropped. Sends of them resolve.
   */
  drop(isUnwanted: (head: Uint8Array) => boolean): void;
  /** Says goodbye behind the frames that are on their way, then ends: sends that are not done reject. */
  close(reason: string): void;
}

/** What a rank lets another one send. The longest message may change meanwhile, for those that begin then. */
export interface LinkLimits {
  /** A longer message expels its sender before memory is taken for it. */
  readonly messageBytes: number;
  /** Bytes on the way that the other side has not taken: 1 MiB at least. */
  readonly windowBytes: number;
}

export const defaultLimits: LinkLimits = { messageBytes: 2 ** 31, windowBytes: 2 ** 23 };
