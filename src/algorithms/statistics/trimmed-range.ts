import type { FieldValues, Statistics } from "../../core/statistics.ts";
import { histogram } from "./histogram.ts";
import { fieldStatistics } from "./statistics.ts";

const bins = 512;

/**
 * The range of a field's finite values without the share `tail` of them at either end, to a part in 512 of the whole range;
 * undefined where nothing is finite. Two passes.
 */
export function trimmedRange(
  field: FieldValues,
  tail: number,
): Promise<readonly [number, number] | undefined> {
  const statistics = () => fieldStatistics(field);
  return trimmedRangeOf({ statistics, counts: (range) => histogram(field, range, bins) }, tail);
}

/** The same of values that are elsewhere; `counts` are those of equal parts of a range. */
export async function trimmedRangeOf(
  values: {
    statistics(): Promise<Statistics>;
    counts(range: readonly [number, number], bins: number): Promise<ArrayLike<number>>;
  },
  tail: number,
): Promise<readonly [number, number] | undefined> {
  const { min, max, nan, infinite, count } = await values.statistics();
  if (Number.isNaN(min)) return undefined;
  if (!(max > min)) return [min, max];
  const counts = await values.counts([min, max], bins);
  return trimmed(counts, [min, max], tail * (count - nan - infinite));
}

/** The borders of the bins within which all but `outside` values at either end lie. */
function trimmed(
  counts: ArrayLike<number>,
  [min, max]: readonly [number, number],
  outside: number,
): readonly [number, number] {
  let first = 0;
  let last = counts.length - 1;
  for (let below = counts[0]; first < last && below <= outside; below += counts[first]) first++;
  for (let above = counts[last]; last > first && above <= outside; above += counts[last]) last--;
  const width = (max - min) / counts.length;
  return [
    first === 0 ? min : min + first * width,
    last === counts.length - 1 ? max : min + (last + 1) * width,
  ];
}
