import { malformed } from "../wire/frame.ts";

/** Streams of a link: what directs others goes first, data that were asked for go last. */
export const streams = { control: 0, messages: 1, bulk: 2 } as const;

/** The operations, by their numbers on the wire; 0 is point-to-point. */
export const operations = [
  "send",
  "barrier",
  "bcast",
  "gather",
  "scatter",
  "allgather",
  "alltoall",
  "reduce",
  "allreduce",
  "reduceScatter",
  "scan",
  "exscan",
  "split",
  "dup",
] as const;

export type Operation = (typeof operations)[number];

/** What every message between ranks says of itself. */
export interface Envelope {
  readonly epoch: number;
  /** Which communicator of the epoch. */
  readonly context: number;
  readonly operation: Operation;
  /** Point-to-point: 0. Collectives: which call on this communicator, from 0. */
  readonly sequence: number;
  /** Point-to-point: the tag. Collectives: the slot. */
  readonly tag: number;
  /** The sender's rank in the communicator. */
  readonly source: number;
  /** Element type of the body, as data.ts numbers them; 255 where it is bytes of a collective's step. */
  readonly dtype: number;
  /** Bytes of the body, which may come later. */
  readonly bytes: number;
}

export type Head =
  /** With its body. */
  | { readonly kind: "eager"; readonly envelope: Envelope }
  /** The body comes when it is called for, by this number. */
  | { readonly kind: "announce"; readonly envelope: Envelope; readonly id: number }
  | { readonly kind: "call"; readonly epoch: number; readonly id: number }
  | { readonly kind: "data"; readonly epoch: number; readonly id: number }
  /** So many more bytes of eager messages, and announcements, may be sent. */
  | {
      readonly kind: "credit";
      readonly epoch: number;
      readonly bytes: number;
      readonly announcements: number;
    }
  | { readonly kind: "revoke"; readonly epoch: number; readonly context: number };

const kinds = ["eager", "announce", "call", "data", "credit", "revoke"] as const;
const envelopeBytes = 36;

/** A head: its kind in byte 0, the epoch in bytes 4–7, then what the kind holds; little endian. */
export function encodeHead(head: Head): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(envelopeBytes + 4);
  const view = new DataView(bytes.buffer);
  bytes[0] = kinds.indexOf(head.kind);
  if (head.kind === "eager" || head.kind === "announce") {
    const { epoch, context, operation, sequence, tag, source, dtype, bytes: length } = head.envelope;
    bytes[1] = operations.indexOf(operation);
    bytes[2] = dtype;
    for (const [k, word] of [epoch, context, sequence, tag, source].entries()) {
      view.setUint32(4 + 4 * k, word, true);
    }
    view.setFloat64(24, length, true);
    if (head.kind === "eager") return bytes.subarray(0, 32);
    view.setUint32(32, head.id, true);
    return bytes.subarray(0, 36);
  }
  view.setUint32(4, head.epoch, true);
  if (head.kind === "credit") {
    view.setUint32(8, head.bytes, true);
    view.setUint32(12, head.announcements, true);
    return bytes.subarray(0, 16);
  }
  view.setUint32(8, head.kind === "revoke" ? head.context : head.id, true);
  return bytes.subarray(0, 12);
}

/** Throws BadMessage where the bytes are no head. */
export function decodeHead(bytes: Uint8Array): Head {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = kinds[bytes[0]];
  const lengths = { eager: 32, announce: 36, call: 12, data: 12, credit: 16, revoke: 12 };
  if (kind === undefined || bytes.length !== lengths[kind]) throw malformed("has a head of no known kind");
  const word = (at: number) => view.getUint32(at, true);
  const epoch = word(4);
  if (kind === "credit") return { kind, epoch, bytes: word(8), announcements: word(12) };
  if (kind === "revoke") return { kind, epoch, context: word(8) };
  if (kind === "call" || kind === "data") return { kind, epoch, id: word(8) };
  const operation = operations[bytes[1]];
  const length = view.getFloat64(24, true);
  if (operation === undefined || bytes[3] !== 0) throw malformed("names an unknown operation");
  if (!Number.isSafeInteger(length) || length < 0) throw malformed("announces no number of bytes");
  const envelope = {
    epoch,
    context: word(8),
    operation,
    sequence: word(12),
    tag: word(16),
    source: word(20),
    dtype: bytes[2],
    bytes: length,
  };
  return kind === "eager" ? { kind, envelope } : { kind, envelope, id: word(32) };
}

/** The epoch that any head is of. Throws BadMessage where it is too short to have one. */
export function epochOf(head: Uint8Array): number {
  if (head.length < 8) throw malformed("has a head without an epoch");
  return new DataView(head.buffer, head.byteOffset, head.length).getUint32(4, true);
}
