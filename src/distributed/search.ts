import type { Bound, SearchBackend } from "../core/primitives/backend.ts";
import type { NaryFunction } from "../core/primitives/functions.ts";
import type { SetOperation } from "../core/primitives/set-operations.ts";
import type { HostArray, ScalarType } from "../core/primitives/vector.ts";
import type { Offsets } from "./api.ts";
import { chosen } from "./compaction.ts";
import { firstsOf } from "./limits.ts";
import { evenOffsets, lengthsOf } from "./offsets.ts";
import { placed } from "./scatter.ts";
import type { Ranks, Step } from "./step.ts";
import { type Limit, madeAlone, positionsIn, type RankVector, vectorOf } from "./vector.ts";
import { alignedPart } from "./window.ts";
import { bitsOf, elementOf, joined, wordOf, wordsOf } from "./words.ts";

/** What is done with ascending vectors. */
export const distributedSearch = (ranks: Ranks): SearchBackend => ({
  search: <T extends ScalarType>(bound: Bound, sorted: RankVector<T>, needles: RankVector<T>) =>
    ranks.run((step) => searched(step, bound, sorted, needles)),

  upperBoundCounting: (sorted: RankVector<"u32">, count) =>
    ranks.run((step) => searchedCounting(step, sorted, count)),

  merge: <T extends ScalarType>(a: RankVector<T>, b: RankVector<T>) =>
    ranks.run((step) => merged(step, a, b)),

  combineSets: <T extends ScalarType>(operation: SetOperation, a: RankVector<T>, b: RankVector<T>) =>
    ranks.run(async (step) => {
      if (operation === "intersection") return keptOf(step, a, b, paired);
      if (operation === "difference") return keptOf(step, a, b, single);
      return merged(step, a, step.hold(await keptOf(step, b, a, single)));
    }),
});

/** Order as numbers: −0 equals +0, every NaN equals every other and is greater than all numbers. */
const isLess = (a: number, b: number) => a < b || (Number.isNaN(b) && !Number.isNaN(a));

/**
 * Where needles could be inserted, distributed as they are. Each is sent to the one rank whose elements its position is among,
 * which the ranks' first elements tell, and its position is sent back.
 */
async function searched<T extends ScalarType>(
  step: Step,
  bound: Bound,
  sorted: RankVector<T>,
  needles: RankVector<T>,
): Promise<RankVector<"u32">> {
  const { local, exchange, rank, size } = step;
  const { type, offsets } = sorted;
  const part = await sorted.part(step);
  const needlesPart = await needles.part(step);
  if (size === 1) {
    const own = await exchange.together(() =>
      bound === "lower" ? local.lowerBound(part, needlesPart) : local.upperBound(part, needlesPart),
    );
    return vectorOf(step, own, needles.offsets);
  }
  const firsts = await exchange.allgather(async () =>
    Uint32Array.from(part.length > 0 ? [wordOf(type, await local.front(part))] : []),
  );
  let places: readonly Uint32Array[] = [];
  const asked = await exchange.alltoall(async () => {
    const words = await local.toHost(needlesPart);
    places = placesByRank(words, bound, type, firsts);
    const bits = bitsOf(words);
    return places.map((ofRank) => [ofRank.map((place) => bits[place])]);
  });
  const found = await exchange.alltoall(async () => {
    const here = local.fromHost(type, wordsOf(type, joined(asked)));
    const positions = await (bound === "lower" ? local.lowerBound(part, here) : local.upperBound(part, here));
    const words = (await local.toHost(positions)).map((position) => position + offsets[rank]);
    here.release();
    positions.release();
    let at = 0;
    return asked.map(({ length }) => {
      at += length;
      return [words.subarray(at - length, at)];
    });
  });
  return madeAlone(step, { type: "u32", components: 1 }, needles.offsets, () => {
    const all = new Uint32Array(needlesPart.length);
    for (const [k, ofRank] of places.entries()) {
      for (let i = 0; i < ofRank.length; i++) all[ofRank[i]] = found[k][i];
    }
    return local.fromHost("u32", all);
  });
}

/**
 * Where the numbers below `count` could be inserted: each on the rank whose elements its position is among, so that what is
 * enumerated stays with what it is enumerated of, and the ranks' first elements alone travel.
 */
async function searchedCounting(
  step: Step,
  sorted: RankVector<"u32">,
  count: number,
): Promise<RankVector<"u32">> {
  const { local, rank, size } = step;
  const part = await sorted.part(step);
  const isParted = sorted.length > 0 && size > 1;
  const lowest = sorted.offsets.lastIndexOf(0);
  const firsts = isParted ? await firstsOf(step, sorted) : [];
  const offsets = isParted ? countingOffsets(firsts, lowest, count) : evenOffsets(count, size);
  const positions = await madeAlone(step, sorted, offsets, async () => {
    const [from, to] = offsets.slice(rank);
    if (size === 1) return local.upperBoundCounting(part, to);
    const first = local.constant("u32", part.length, from);
    const shifted = step.hold(await local.zip([part, first], difference, "u32"));
    const here = step.hold(await local.upperBoundCounting(shifted, to - from));
    return local.zip([here, local.constant("u32", here.length, sorted.offsets[rank])], sum, "u32");
  });
  // All elements of the ranks before come before a number that is not below a rank's first one.
  const limits = lengthsOf(offsets).map(
    (length, k): Limit =>
      length === 0 ? undefined : [sorted.offsets[k] + Number(k > lowest), sorted.offsets[k + 1]],
  );
  if (isParted) positions.stored.limits = { version: positions.stored.version, perRank: limits };
  return positions;
}

/** The numbers below each rank's first element are those of ranks before it, of which the lowest with elements has the first. */
function countingOffsets(firsts: readonly (number | undefined)[], lowest: number, count: number): Offsets {
  let next = count;
  const starts = firsts.map(() => 0);
  for (let rank = firsts.length - 1; rank > lowest; rank--) {
    next = Math.min(next, firsts[rank] ?? next);
    starts[rank] = next;
  }
  return [...starts, count];
}

/** Places of the needles that each rank is to search for. */
function placesByRank(
  needles: HostArray,
  bound: Bound,
  type: ScalarType,
  firsts: readonly Uint32Array[],
): readonly Uint32Array[] {
  const ranks = firsts.flatMap(({ length }, k) => (length > 0 ? [k] : []));
  if (ranks.length === 0) ranks.push(0);
  const elements = ranks.slice(1).map((k) => elementOf(type, firsts[k][0]));
  const places: number[][] = firsts.map(() => []);
  for (let i = 0; i < needles.length; i++) {
    const needle = needles[i];
    let [low, high] = [0, elements.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const isBefore =
        bound === "lower" ? isLess(elements[middle], needle) : !isLess(needle, elements[middle]);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    places[ranks[low]].push(i);
  }
  return places.map((ofRank) => Uint32Array.from(ofRank));
}

/** Elements of both at their places in the result: past the other vector's elements that come before them. */
async function merged<T extends ScalarType>(
  step: Step,
  a: RankVector<T>,
  b: RankVector<T>,
): Promise<RankVector<T>> {
  const placesOf = async (bound: Bound, vector: RankVector<T>, other: RankVector<T>) => {
    const before = step.hold(await searched(step, bound, other, vector));
    const parts = [positionsIn(step, vector.offsets), await before.part(step)];
    return step.hold(await madeAlone(step, before, vector.offsets, () => step.local.zip(parts, sum, "u32")));
  };
  const mapA = await placesOf("lower", a, b);
  const mapB = await placesOf("upper", b, a);
  const offsets = evenOffsets(a.length + b.length, step.size);
  return placed(step, offsets, { source: a, map: mapA }, { source: b, map: mapB });
}

const sum: NaryFunction = { name: "sum", text: "x0 + x1" };
const difference: NaryFunction = { name: "difference", text: "x0 - x1" };

/**
 * Flags of elements, of their position, that of the first equal one, and the first and last in the other vector: whether it has as
 * many equal ones that each can be paired with this.
 */
const paired: NaryFunction = { name: "paired", text: "select(0u, 1u, x0 - x1 < x3 - x2)" };
const single: NaryFunction = { name: "single", text: "select(1u, 0u, x0 - x1 < x3 - x2)" };

/** The elements of `a` that `isKept` says, where they are; equal elements of both are paired in order. */
async function keptOf<T extends ScalarType>(
  step: Step,
  a: RankVector<T>,
  b: RankVector<T>,
  isKept: NaryFunction,
): Promise<RankVector<T>> {
  const parts = [positionsIn(step, a.offsets)];
  for (const [bound, within] of [
    ["lower", a],
    ["lower", b],
    ["upper", b],
  ] as const) {
    const positions = step.hold(await searched(step, bound, within, a));
    parts.push(await alignedPart(step, positions, a.offsets));
  }
  const numbers = { type: "u32", components: 1 } as const;
  const flags = madeAlone(step, numbers, a.offsets, () => step.local.zip(parts, isKept, "u32"));
  return chosen(step, a, step.hold(await flags));
}
