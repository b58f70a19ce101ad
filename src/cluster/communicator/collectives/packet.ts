import { badMessage } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { decodeData, type Encoded, encodeData, maxValueBytes, valueCode } from "../data.ts";

/** A rank's data in transit. */
export interface Item extends Encoded {
  readonly rank: number;
  /** Whether the bytes share a buffer with others. */
  readonly isPart?: boolean;
}

const placements = ["inline", "separate", "chunked"] as const;

/**
 * A packet's description of an item: the bytes are in the packet (inline), in a message of their own
 * (separate) or in several (chunked).
 */
export interface Entry {
  readonly rank: number;
  readonly code: number;
  readonly length: number;
  readonly placement: (typeof placements)[number];
  /** Inline items only. */
  readonly bytes?: Uint8Array;
}

/** The longest item that a packet may announce: receivers allocate memory for chunked items. */
const maxItemBytes = 2 ** 32;

const headerBytes = 8;
const entryBytes = 16;
const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;

export const itemOf = (rank: number, data: Data, operation: string): Item => ({
  rank,
  ...encodeData(data, operation),
});

/** Items of at most `limit` bytes are inline. */
export function entryOf({ rank, code, bytes }: Item, limit: number): Entry {
  const length = bytes.length;
  return length <= limit
    ? { rank, code, length, placement: "inline", bytes }
    : { rank, code, length, placement: "separate" };
}

/**
 * A message of entries: their count (u32) and 4 zero bytes; for each entry its rank (u32), code, placement,
 * 2 zero bytes and length (f64); then the bytes of inline items, each padded to a multiple of 8.
 */
export function pack(entries: readonly Entry[]): Uint8Array {
  const start = headerBytes + entryBytes * entries.length;
  const total = entries.reduce((sum, { bytes }) => sum + padded(bytes?.length ?? 0), start);
  const packet = new Uint8Array(total);
  const view = new DataView(packet.buffer);
  view.setUint32(0, entries.length, true);
  let end = start;
  for (const [k, { rank, code, length, placement, bytes }] of entries.entries()) {
    const at = headerBytes + entryBytes * k;
    view.setUint32(at, rank, true);
    view.setUint8(at + 4, code);
    view.setUint8(at + 5, placements.indexOf(placement));
    view.setFloat64(at + 8, length, true);
    if (!bytes) continue;
    packet.set(bytes, end);
    end += padded(bytes.length);
  }
  return packet;
}

/**
 * The entries of a packet, `expected` of them, with views of their bytes. Throws BadMessage if it is not a
 * valid packet or names ranks from `size` on.
 */
export function unpack(packet: Uint8Array, size: number, expected?: number): Entry[] {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  const count = packet.length < headerBytes ? Number.NaN : view.getUint32(0, true);
  let end = headerBytes + entryBytes * count;
  if (!(end <= packet.length) || (expected ?? count) !== count)
    throw badMessage("not a packet of a collective");
  const entries: Entry[] = [];
  for (let k = 0; k < count; k++) {
    const at = headerBytes + entryBytes * k;
    const rank = view.getUint32(at, true);
    const code = view.getUint8(at + 4);
    const placement = placements[view.getUint8(at + 5)];
    const length = view.getFloat64(at + 8, true);
    const most = code === valueCode ? maxValueBytes : maxItemBytes;
    if (
      rank >= size ||
      code > valueCode ||
      !placement ||
      !Number.isInteger(length) ||
      length < 0 ||
      length > most
    ) {
      throw badMessage("the packet holds an unknown data type, rank, placement or length");
    }
    if (placement !== "inline") {
      entries.push({ rank, code, length, placement });
      continue;
    }
    if (length > packet.length - end) throw badMessage("the packet ends early");
    entries.push({ rank, code, length, placement, bytes: packet.subarray(end, end + length) });
    end += padded(length);
  }
  if (end !== packet.length) throw badMessage("the packet has trailing bytes");
  return entries;
}

/** The item of an inline entry. */
export const inlineItem = ({ rank, code, bytes = nothing }: Entry): Item => ({
  rank,
  code,
  bytes,
  isPart: true,
});

const nothing = new Uint8Array(0);

/** The item of an entry whose bytes came separately. Throws BadMessage if their number differs. */
export function separateItem({ rank, code, length }: Entry, bytes: Uint8Array): Item {
  if (bytes.length !== length) throw badMessage(`got ${bytes.length} bytes, expected ${length}`);
  return { rank, code, bytes };
}

/** The item's data, in a buffer of its own. */
export function dataOf<D extends Data>({ code, bytes, isPart }: Item): D {
  return decodeData({ code, bytes: isPart && code !== valueCode ? bytes.slice() : bytes }) as D;
}
