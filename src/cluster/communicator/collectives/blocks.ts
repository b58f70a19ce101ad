import type { TypedArray } from "../../../core/dtype.ts";
import { bytesOf } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import type { ElementReduction } from "../operators.ts";
import { like } from "./array-operand.ts";
import type { Folded } from "./fold.ts";

/**
 * An array in blocks, over a power-of-two number of ranks. Vector halving with distance doubling
 * (Rabenseifner 2004): in step k each rank keeps one half of what it has, its partner at distance 2ᵏ keeps
 * the other, and each reduces its half. Partners represent neighbouring ranges of ranks, so operands stay
 * in order. Block b ends at the rank whose bits are those of b reversed.
 */
export interface Blocks {
  readonly exchange: Exchange;
  readonly folded: Folded;
  /** Where each block begins, and where the last one ends, in elements. */
  readonly bounds: readonly number[];
  readonly slot: number;
}

/** More than the number of steps. */
const backSlots = 32;

/** An elementwise operator. */
export type Combining = Pick<ElementReduction, "isCommutative"> & Required<Pick<ElementReduction, "combine">>;

/** A range of blocks held by a rank. */
interface Range {
  readonly low: number;
  readonly high: number;
}

export const blockOf = (rank: number, size: number): number => {
  let block = 0;
  for (let d = 1; d < size; d *= 2) block = 2 * block + (rank & d ? 1 : 0);
  return block;
};

/**
 * Reduces `given` without changing it. Afterwards `out` holds this rank's block; the rest of `out` is
 * undefined.
 */
export async function reduceScatterBlocks(
  { exchange, folded, bounds, slot }: Blocks,
  given: TypedArray,
  out: TypedArray,
  { isCommutative, combine }: Combining,
): Promise<void> {
  const { rank = 0, size, toRank } = folded;
  let [low, high] = [0, size];
  let scratch: TypedArray | undefined;
  if (size === 1) bytesOf(out).set(bytesOf(given));
  for (let d = 1, step = slot; d < size; d *= 2, step++) {
    const middle = (low + high) / 2;
    const isLower = (rank & d) === 0;
    const [keepLow, keepHigh] = isLower ? [low, middle] : [middle, high];
    const [giveLow, giveHigh] = isLower ? [middle, high] : [low, middle];
    const [from, to] = [bounds[keepLow], bounds[keepHigh]];
    const own = d === 1 ? given : out;
    const swap = (into: TypedArray) =>
      Promise.all([
        exchange.send(toRank(rank ^ d), step, bytesOf(own.subarray(bounds[giveLow], bounds[giveHigh]))),
        exchange.receiveInto(toRank(rank ^ d), step, bytesOf(into)),
      ]);
    const kept = out.subarray(from, to);
    if (d === 1 && (isLower || isCommutative)) {
      await swap(kept);
      combine(given, out, from, to);
    } else {
      if (d === 1) bytesOf(kept).set(bytesOf(given.subarray(from, to)));
      scratch ??= like(out, to - from);
      const received = scratch.subarray(0, to - from);
      await swap(received);
      if (!isLower || isCommutative) combine(received, kept, 0, kept.length);
      else {
        combine(kept, received, 0, kept.length);
        bytesOf(kept).set(bytesOf(received));
      }
    }
    [low, high] = [keepLow, keepHigh];
  }
}

/**
 * The steps in reverse: each rank gets back the half that it gave away, reduced. Afterwards every rank has
 * all of `out`.
 */
export async function allgatherBlocks(blocks: Blocks, out: TypedArray): Promise<void> {
  const { exchange, folded, slot } = blocks;
  let range = ownRange(folded);
  for (let d = folded.size / 2, step = slot + backSlots; d >= 1; d /= 2, step++) {
    const partner = folded.toRank((folded.rank ?? 0) ^ d);
    const other = siblingOf(range);
    await Promise.all([
      exchange.send(partner, step, bytesOf(part(blocks, out, range))),
      exchange.receiveInto(partner, step, bytesOf(part(blocks, out, other))),
    ]);
    range = union(range, other);
  }
}

/** The same steps in one direction: afterwards the rank with folded number `root` has all of `out`. */
export async function gatherBlocks(blocks: Blocks, out: TypedArray, root: number): Promise<void> {
  const { exchange, folded, slot } = blocks;
  const rank = folded.rank ?? 0;
  let range = ownRange(folded);
  for (let d = folded.size / 2, step = slot + backSlots; d >= 1; d /= 2, step++) {
    const partner = folded.toRank(rank ^ d);
    if ((rank & d) !== (root & d)) {
      await exchange.send(partner, step, bytesOf(part(blocks, out, range)));
      return;
    }
    const other = siblingOf(range);
    await exchange.receiveInto(partner, step, bytesOf(part(blocks, out, other)));
    range = union(range, other);
  }
}

function ownRange({ rank = 0, size }: Folded): Range {
  const block = blockOf(rank, size);
  return { low: block, high: block + 1 };
}

const part = ({ bounds }: Blocks, out: TypedArray, { low, high }: Range) =>
  out.subarray(bounds[low], bounds[high]);

/**
 * The other half of the most recently halved range: range lengths are powers of two, and ranges are aligned
 * to them.
 */
function siblingOf({ low, high }: Range): Range {
  const length = high - low;
  const isLower = (low / length) % 2 === 0;
  return isLower ? { low: high, high: high + length } : { low: low - length, high: low };
}

const union = (a: Range, b: Range): Range => ({
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
});
