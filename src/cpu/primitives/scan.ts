import type { Combination } from "../../core/primitives/combinations.ts";
import type { BinaryOperator } from "../../core/primitives/functions.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { combination } from "../../kernel/element-functions.ts";
import { newWords } from "./vector.ts";

/** Elements that are combined one after the other: the rounding of f32 grows with it, not with the length. */
const block = 16;

/** x[from] ∘ … ∘ x[to − 1] for from < to. f32: a tree, so that errors grow with the logarithm of the length. */
export function reduceWords(
  type: ScalarType,
  words: ArrayLike<number>,
  combine: Combination,
  from = 0,
  to = words.length,
): number {
  if (type !== "f32" || to - from <= block) {
    let sum = words[from];
    for (let i = from + 1; i < to; i++) sum = combine(sum, words[i]);
    return sum;
  }
  const middle = (from + to) >>> 1;
  return combine(
    reduceWords(type, words, combine, from, middle),
    reduceWords(type, words, combine, middle, to),
  );
}

/** init ∘ x₀ ∘ x₁ ∘ …; the identity where there is neither. The result is an element. */
export function reduceWithInit(
  type: ScalarType,
  words: ArrayLike<number>,
  operator: BinaryOperator,
  init?: number,
): number {
  const combine = combination(type, operator);
  const [first] = newWords(type, 1).fill(init ?? operator.identity(type));
  if (words.length === 0) return first;
  const sum = reduceWords(type, words, combine);
  return init === undefined ? sum : combine(first, sum);
}

export interface Scan {
  readonly type: ScalarType;
  readonly operator: BinaryOperator;
  readonly exclusive: boolean;
  readonly reverse?: boolean;
  readonly init?: number;
}

/** Scans words[from, to) in place, as one segment. */
export function scanWords(words: HostArray, from: number, to: number, scan: Scan): void {
  if (from === to) return;
  const { type, operator, exclusive, reverse = false, init } = scan;
  const combine = combination(type, operator);
  const segment = words.subarray(from, to);
  if (reverse) segment.reverse();
  inclusiveScan(type, segment, combine);
  if (exclusive) {
    segment.copyWithin(1, 0);
    segment[0] = init ?? operator.identity(type);
    if (init !== undefined)
      for (let i = 1; i < segment.length; i++) segment[i] = combine(segment[0], segment[i]);
  }
  if (reverse) segment.reverse();
}

/** f32: blocks, after the scan of their sums, for the sake of rounding. */
function inclusiveScan(type: ScalarType, words: HostArray, combine: Combination): void {
  const n = words.length;
  if (type !== "f32" || n <= block) {
    for (let i = 1; i < n; i++) words[i] = combine(words[i - 1], words[i]);
    return;
  }
  const sums = newWords(type, Math.ceil(n / block));
  for (let b = 0; b < sums.length; b++) {
    inclusiveScan(type, words.subarray(b * block, (b + 1) * block), combine);
    sums[b] = words[Math.min(n, (b + 1) * block) - 1];
  }
  inclusiveScan(type, sums, combine);
  for (let i = block; i < n; i++) words[i] = combine(sums[Math.floor(i / block) - 1], words[i]);
}
