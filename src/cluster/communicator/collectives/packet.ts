import { badMessage } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { decodeData, type Encoded, encodeData, maxValueBytes, valueCode } from "../data.ts";

/** A rank's data on their way. */
export interface Item extends Encoded {
  readonly rank: number;
  /** Whether the bytes lie in memory with others'. */
  readonly isPart?: boolean;
}

const placements = ["inline", "separate", "chunked"] as const;

/** What a packet says of an item: its bytes are in the packet, or come in a message of their own, or in several. */
export interface Entry {
  readonly rank: number;
  readonly code: number;
  readonly length: number;
  readonly placement: (typeof placements)[number];
  /** Where they are here. */
  readonly bytes?: Uint8Array;
}

/** What nobody can announce more than: memory is taken for items that come in parts. */
const maxItemBytes = 2 ** 32;

const headerBytes = 8;
const entryBytes = 16;
const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;

export const itemOf = (rank: number, data: Data, operation: string): Item => ({
  rank,
  ...encodeData(data, operation),
});

/** Items of at most `limit` bytes go in the packet. */
export function entryOf({ rank, code, bytes }: Item, limit: number): Entry {
  const length = bytes.length;
  return length <= limit
    ? { rank, code, length, placement: "inline", bytes }
    : { rank, code, length, placement: "separate" };
}

/**
 * A message of entries: their number (u32) and 4 bytes of 0; for each its rank (u32), code, way, 2 bytes of 0 and length
 * (f64); then the bytes of those that are here, each filled up to a multiple of 8.
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
 * The entries of a packet, `expected` of them, whose bytes lie in it. Throws BadMessage where it is none, or of ranks from
 * `size` on.
 */
export function unpack(packet: Uint8Array, size: number, expected?: number): Entry[] {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  const count = packet.length < headerBytes ? Number.NaN : view.getUint32(0, true);
  let end = headerBytes + entryBytes * count;
  if (!(end <= packet.length) || (expected ?? count) !== count)
    throw badMessage("is no packet of a collective");
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
      throw badMessage("is a packet of what is no data");
    }
    if (placement !== "inline") {
      entries.push({ rank, code, length, placement });
      continue;
    }
    if (length > packet.length - end) throw badMessage("is a packet that ends early");
    entries.push({ rank, code, length, placement, bytes: packet.subarray(end, end + length) });
    end += padded(length);
  }
  if (end !== packet.length) throw badMessage("is a packet with more than it tells");
  return entries;
}

/** The item of an entry that is here. */
export const inlineItem = ({ rank, code, bytes = nothing }: Entry): Item => ({
  rank,
  code,
  bytes,
  isPart: true,
});

const nothing = new Uint8Array(0);

/** The item of an entry whose bytes have come apart. Throws BadMessage where their number is another. */
export function separateItem({ rank, code, length }: Entry, bytes: Uint8Array): Item {
  if (bytes.length !== length)
    throw badMessage(`brings ${bytes.length} bytes where ${length} were announced`);
  return { rank, code, bytes };
}

/** The data of an item, in memory that nothing else lies in. */
export function dataOf<D extends Data>({ code, bytes, isPart }: Item): D {
  return decodeData({ code, bytes: isPart && code !== valueCode ? bytes.slice() : bytes }) as D;
}
