import type { Offsets } from "./api.ts";

/** Positions [from, to). */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Parts that differ by one element at most. */
export const evenOffsets = (length: number, size: number): Offsets =>
  Array.from({ length: size + 1 }, (_, rank) => Math.floor((length * rank) / size));

/** Parts whose lengths are proportional to weights, which are not all 0. */
export function weightedOffsets(length: number, weights: readonly number[]): Offsets {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  const ends = weights.map((weight) => {
    before += weight;
    return Math.round(Math.min(1, before / total) * length);
  });
  return [0, ...ends.with(-1, length)];
}

export function offsetsOf(lengths: readonly number[]): Offsets {
  let sum = 0;
  return [
    0,
    ...lengths.map((length) => {
      sum += length;
      return sum;
    }),
  ];
}

export const lengthsOf = (offsets: Offsets): readonly number[] =>
  offsets.slice(1).map((end, rank) => end - offsets[rank]);

export const rangesOf = (offsets: Offsets): readonly Range[] =>
  offsets.slice(1).map((to, rank) => ({ from: offsets[rank], to }));

export const areSameOffsets = (a: Offsets, b: Offsets): boolean => a.every((offset, k) => offset === b[k]);

/** What two ranges have in common; empty where they do not meet. */
export function intersection(a: Range, b: Range): Range {
  const from = Math.max(a.from, b.from);
  return { from, to: Math.max(from, Math.min(a.to, b.to)) };
}

export const lengthOf = ({ from, to }: Range): number => to - from;

export const isWithin = (range: Range, other: Range): boolean =>
  lengthOf(range) === 0 || (range.from >= other.from && range.to <= other.to);

/** The shortest range that has both. */
export const hull = (a: Range, b: Range): Range => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
});

/** What a range has before another one and behind it. */
export const outside = ({ from, to }: Range, other: Range): readonly Range[] =>
  [
    { from, to: Math.min(to, other.from) },
    { from: Math.max(from, other.to), to },
  ].filter((range) => range.from < range.to);

/** The rank whose part has the position, which is below the length. */
export function ownerOf(offsets: Offsets, position: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle] <= position) low = middle;
    else high = middle;
  }
  return low;
}
