import { badMessage } from "../wire/frame.ts";

/** Streams of a link: control messages go first, requested data last. */
export const streams = { control: 0, messages: 1, bulk: 2 } as const;

/** The operations by their numbers on the wire; 0 is point-to-point. */
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

/** Metadata of every message between ranks. */
export interface Envelope {
  readonly epoch: number;
  /** Identifies the communicator within the epoch. */
  readonly context: number;
  readonly operation: Operation;
  /** Point-to-point: 0. Collectives: the number of the call on this communicator, from 0. */
  readonly sequence: number;
  /** Point-to-point: the tag. Collectives: the slot. */
  readonly tag: number;
  /** The sender's rank in the communicator. */
  readonly source: number;
  /** The type of the body, numbered as in data.ts; 255 for raw bytes of a collective. */
  readonly dtype: number;
  /** Collectives: a hash of what all ranks must agree on, or 0. */
  readonly signature: number;
  /** The length of the body, which may come later. */
  readonly bytes: number;
}

export type Head =
  /** Carries its body. */
  | { readonly kind: "eager"; readonly envelope: Envelope }
  /** The body is sent after `clearToSend` with this id. */
  | { readonly kind: "requestToSend"; readonly envelope: Envelope; readonly id: number }
  | { readonly kind: "clearToSend"; readonly epoch: number; readonly id: number }
  | { readonly kind: "data"; readonly epoch: number; readonly id: number }
  /** The peer may send this many more bytes of eager messages and this many more requests. */
  | {
      readonly kind: "credit";
      readonly epoch: number;
      readonly bytes: number;
      readonly requests: number;
    }
  | { readonly kind: "revoke"; readonly epoch: number; readonly context: number };

const kinds = ["eager", "requestToSend", "clearToSend", "data", "credit", "revoke"] as const;

/** The length of each head in bytes. */
const lengths = { eager: 40, requestToSend: 44, clearToSend: 12, data: 12, credit: 16, revoke: 16 } as const;

/** A head: its kind in byte 0, the epoch in bytes 4–7, then the kind's fields; little endian. */
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

/** Throws BadMessage if the bytes are not a valid head. */
export function decodeHead(bytes: Uint8Array): Head {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = kinds[bytes[0]];
  if (kind === undefined || bytes.length !== lengths[kind]) throw badMessage("unknown kind of head");
  const u32 = (at: number) => view.getUint32(at, true);
  const count = (at: number) => {
    const value = view.getFloat64(at, true);
    if (!Number.isSafeInteger(value) || value < 0)
      throw badMessage("a number in the head is not a valid count");
    return value;
  };
  const epoch = u32(4);
  if (kind === "credit") return { kind, epoch, bytes: u32(8), requests: u32(12) };
  if (kind === "revoke") return { kind, epoch, context: count(8) };
  if (kind === "clearToSend" || kind === "data") return { kind, epoch, id: u32(8) };
  const operation = operations[bytes[1]];
  if (operation === undefined || bytes[3] !== 0) throw badMessage("unknown operation");
  const envelope = {
    epoch,
    context: count(8),
    operation,
    sequence: u32(16),
    tag: u32(20),
    source: u32(24),
    dtype: bytes[2],
    signature: u32(28),
    bytes: count(32),
  };
  return kind === "eager" ? { kind, envelope } : { kind, envelope, id: u32(40) };
}

/** The communicator of all ranks. */
export const worldContext = 0;

/**
 * The context of a communicator's k-th child in an epoch, which its ranks compute alike without
 * communication. 53 bits mixed twice (as in MurmurHash3's finalizer) make collisions within a program
 * unlikely.
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

/** Whether a head belongs to a message of this epoch, rather than to one between members. */
export const isOfEpoch = (head: Uint8Array, epoch: number): boolean =>
  head[0] < kinds.length && epochOf(head) === epoch;

/** The epoch of any head. Throws BadMessage if it is too short to have one. */
export function epochOf(head: Uint8Array): number {
  if (head.length < 8) throw badMessage("the head has no epoch");
  return new DataView(head.buffer, head.byteOffset, head.length).getUint32(4, true);
}
