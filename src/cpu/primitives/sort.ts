import type { SortOptions } from "../../core/primitives/primitives.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

/** Keys as u32 that ascend as the sort shall have them: −0 before +0, every NaN last and equal; complemented to descend. */
function orderedKeys(type: ScalarType, keys: HostArray, descending: boolean): Uint32Array {
  const ordered = newWords("u32", keys.length);
  const bits = new Uint32Array(keys.buffer, keys.byteOffset, keys.length);
  for (let i = 0; i < keys.length; i++) {
    let key = bits[i];
    if (type === "i32") key ^= 0x80000000;
    else if (type === "f32") {
      key = Number.isNaN(keys[i]) ? 0xffffffff : key >>> 31 ? ~key : key | 0x80000000;
    }
    ordered[i] = descending ? ~key : key;
  }
  return ordered;
}

/**
 * The stable order of keys: order[i] is where the ith of the sorted keys was. Radix sort by digits of 8 bits from the
 * least on, as many as the window of bits has.
 */
export function sortedOrder(
  type: ScalarType,
  keys: HostArray,
  { descending = false, bits: [from, to] = [0, 32] }: SortOptions = {},
): Uint32Array {
  const ordered = orderedKeys(type, keys, descending);
  let order = countingOrder(keys.length);
  let other = newWords("u32", keys.length);
  for (let shift = from; shift < to; shift += 8) {
    const mask = 2 ** Math.min(8, to - shift) - 1;
    const next = new Uint32Array(257);
    for (const key of ordered) next[((key >>> shift) & mask) + 1]++;
    for (let digit = 1; digit < 257; digit++) next[digit] += next[digit - 1];
    for (const i of order) other[next[(ordered[i] >>> shift) & mask]++] = i;
    [order, other] = [other, order];
  }
  return order;
}

function countingOrder(length: number): Uint32Array {
  const order = newWords("u32", length);
  for (let i = 0; i < length; i++) order[i] = i;
  return order;
}

/** Brings the places of an order together by segment; within each they keep their order. `starts` are the segments'. */
export function orderWithin(order: Uint32Array, starts: Uint32Array): Uint32Array {
  const segmentOf = newWords("u32", order.length);
  for (let segment = 0; segment < starts.length; segment++) {
    segmentOf.fill(segment, starts[segment], starts[segment + 1] ?? order.length);
  }
  const next = starts.slice();
  const grouped = newWords("u32", order.length);
  for (const i of order) grouped[next[segmentOf[i]]++] = i;
  return grouped;
}

/** The inverse of a permutation. */
export function inverse(order: Uint32Array): Uint32Array {
  const ranks = newWords("u32", order.length);
  for (let i = 0; i < order.length; i++) ranks[order[i]] = i;
  return ranks;
}
