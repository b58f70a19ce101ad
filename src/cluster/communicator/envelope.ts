import { badMessage } from "../wire/frame.ts";

/** Streams of a link: what directs others goes first, data that were asked for go last. */
export const streams = { control: 0, messages: 1, bulk: 2 } as const;

/** The operations, by their numbers on the wire; 0 is point-to-point. */
const operations = [
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
  "free",
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
  /** What the body is, as data.ts numbers types; 255 where it is bytes of a collective's step. */
  readonly dtype: number;
  /** Collectives: a hash of what all ranks must give alike, or 0. */
  readonly signature: number;
  /** Bytes of the body, which may come later. */
  readonly bytes: number;
}

export type Head =
  /** With its body. */
  | { readonly kind: "eager"; readonly envelope: Envelope }
  /** The body comes when it is called for, by this number. */
  | { readonly kind: "requestToSend"; readonly envelope: Envelope; readonly id: number }
  | { readonly kind: "clearToSend"; readonly epoch: number; readonly id: number }
  | { readonly kind: "data"; readonly epoch: number; readonly id: number }
  /** So many more bytes of eager messages, and requests, may be sent. */
  | {
      readonly kind: "credit";
      readonly epoch: number;
      readonly bytes: number;
      readonly requests: number;
    }
  | { readonly kind: "revoke"; readonly epoch: number; readonly context: number };

const kinds = ["eager", "requestToSend", "clearToSend", "data", "credit", "revoke"] as const;

/** Bytes of each head. */
const lengths = { eager: 40, requestToSend: 44, clearToSend: 12, data: 12, credit: 16, revoke: 16 } as const;

/** A head: its kind in byte 0, the epoch in bytes 4–7, then what the kind holds; little endian. */
export function encodeHead(head: Head): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(lengths[head.kind]);
  const view = new DataView(bytes.buffer);
  bytes[0] = kinds.indexOf(head.kind);
  if (head.kind === "eager" || head.kind === "requestToSend") {
    const { envelope } = head;
    bytes[1] = operations.indexOf(envelope.operation);
    bytes[2] = envelope.dtype;
    view.setUint32(4, envelope.epoch, true);
    view.setFloat64(8, envelope.context, true);
    view.setUint32(16, envelope.sequence, true);
    view.setUint32(20, envelope.tag, true);
    view.setUint32(24, envelope.source, true);
    view.setUint32(28, envelope.signature, true);
    view.setFloat64(32, envelope.bytes, true);
    if (head.kind === "requestToSend") view.setUint32(40, head.id, true);
    return bytes;
  }
  view.setUint32(4, head.epoch, true);
  if (head.kind === "credit") {
    view.setUint32(8, head.bytes, true);
    view.setUint32(12, head.requests, true);
  } else if (head.kind === "revoke") view.setFloat64(8, head.context, true);
  else view.setUint32(8, head.id, true);
  return bytes;
}

/** Throws BadMessage where the bytes are no head. */
export function decodeHead(bytes: Uint8Array): Head {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = kinds[bytes[0]];
  if (kind === undefined || bytes.length !== lengths[kind]) throw badMessage("has a head of no known kind");
  const word = (at: number) => view.getUint32(at, true);
  const count = (at: number) => {
    const value = view.getFloat64(at, true);
    if (!Number.isSafeInteger(value) || value < 0)
      throw badMessage("has a head with a number that is no count");
    return value;
  };
  const epoch = word(4);
  if (kind === "credit") return { kind, epoch, bytes: word(8), requests: word(12) };
  if (kind === "revoke") return { kind, epoch, context: count(8) };
  if (kind === "clearToSend" || kind === "data") return { kind, epoch, id: word(8) };
  const operation = operations[bytes[1]];
  if (operation === undefined || bytes[3] !== 0) throw badMessage("names an unknown operation");
  const envelope = {
    epoch,
    context: count(8),
    operation,
    sequence: word(16),
    tag: word(20),
    source: word(24),
    dtype: bytes[2],
    signature: word(28),
    bytes: count(32),
  };
  return kind === "eager" ? { kind, envelope } : { kind, envelope, id: word(40) };
}

/** Of all ranks. */
export const worldContext = 0;

/**
 * The context of a communicator's k-th child in an epoch: its ranks make it alike without asking each other.
 * 53 bits by mixing twice (as MurmurHash3's finalizer), so that two of a program's contexts will not meet.
 */
export function childContext(parent: number, epoch: number, k: number): number {
  const low = mixed(mixed(mixed(parent >>> 0, Math.floor(parent / 2 ** 32)), epoch), k);
  return (mixed(low, 0x9e3779b9) & 0x1fffff) * 2 ** 32 + low;
}

function mixed(a: number, b: number): number {
  let h = Math.imul(a ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Whether a head is of the epoch's messages, rather than what members say beside them. */
export const isOfEpoch = (head: Uint8Array, epoch: number): boolean =>
  head[0] < kinds.length && epochOf(head) === epoch;

/** The epoch that any head is of. Throws BadMessage where it is too short to have one. */
export function epochOf(head: Uint8Array): number {
  if (head.length < 8) throw badMessage("has a head without an epoch");
  return new DataView(head.buffer, head.byteOffset, head.length).getUint32(4, true);
}
