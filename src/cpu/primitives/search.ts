import { maxKept, type SetOperation } from "../../core/primitives/set-operations.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

/** Order as numbers: −0 equals +0, every NaN equals every other and is greater than all numbers. */
const isLess = (a: number, b: number) => a < b || (Number.isNaN(b) && !Number.isNaN(a));

/** For each needle the first position at which it could be inserted, or the last (`isUpper`). */
export function searchWords(sorted: HostArray, needles: HostArray, isUpper: boolean): Uint32Array {
  const positions = newWords("u32", needles.length);
  for (let i = 0; i < needles.length; i++) {
    const needle = needles[i];
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      const isBefore = isUpper ? !isLess(needle, sorted[middle]) : isLess(sorted[middle], needle);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    positions[i] = low;
  }
  return positions;
}

/** How many elements of an ascending vector are at most 0, 1, …, count − 1. */
export function countsBelow(sorted: Uint32Array, count: number): Uint32Array {
  const positions = newWords("u32", count);
  let position = 0;
  for (let i = 0; i < count; i++) {
    while (position < sorted.length && sorted[position] <= i) position++;
    positions[i] = position;
  }
  return positions;
}

/** Two ascending arrays as one; equal elements of `a` come first. */
export function mergedWords<T extends ScalarType>(type: T, a: HostArray<T>, b: HostArray<T>): HostArray<T> {
  const words = newWords(type, a.length + b.length);
  let [i, j] = [0, 0];
  for (let k = 0; k < words.length; k++) {
    words[k] = j === b.length || (i < a.length && !isLess(b[j], a[i])) ? a[i++] : b[j++];
  }
  return words;
}

/** Which elements a set operation keeps: those of `a` alone, of `b` alone, and one (a's) of each pair of equals. */
interface SetRule {
  readonly onlyA: boolean;
  readonly onlyB: boolean;
  readonly both: boolean;
}

const setRules: Readonly<Record<SetOperation, SetRule>> = {
  union: { onlyA: true, onlyB: true, both: true },
  intersection: { onlyA: false, onlyB: false, both: true },
  difference: { onlyA: true, onlyB: false, both: false },
};

/** Pairs equal elements of ascending arrays in order, and keeps what the operation says. */
export function setWords<T extends ScalarType>(
  type: T,
  a: HostArray<T>,
  b: HostArray<T>,
  operation: SetOperation,
): HostArray<T> {
  const { onlyA, onlyB, both } = setRules[operation];
  const words = newWords(type, maxKept(operation, a.length, b.length));
  let [i, j, kept] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const takesA = j === b.length || (i < a.length && !isLess(b[j], a[i]));
    const takesB = i === a.length || (j < b.length && !isLess(a[i], b[j]));
    if (takesA && takesB ? both : takesA ? onlyA : onlyB) words[kept++] = takesA ? a[i] : b[j];
    if (takesA) i++;
    if (takesB) j++;
  }
  return trimmed(words, kept);
}

/** The first words, in memory of their own size. */
function trimmed<T extends ScalarType>(words: HostArray<T>, length: number): HostArray<T>;
function trimmed(words: HostArray, length: number): HostArray {
  return words.slice(0, length);
}
