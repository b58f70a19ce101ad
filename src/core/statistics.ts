import type { TypedArray } from "./dtype.ts";
import { breathe } from "./job.ts";

/** Range and mean of the finite values; of the magnitude where a field has several components. */
export interface Statistics {
  /** NaN where no finite value exists. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Elements that are NaN (any component). */
  readonly nan: number;
  /** Elements that are +∞ or −∞. */
  readonly infinite: number;
  readonly count: number;
}

/** One pass over interleaved values; the mean is summed in f64. */
export function statistics(data: TypedArray | readonly number[], components = 1): Statistics {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let nan = 0;
  let infinite = 0;
  const count = data.length / components;
  for (let i = 0; i < count; i++) {
    let value: number;
    if (components === 1) value = Number(data[i]);
    else {
      let squares = 0;
      for (let c = 0; c < components; c++) {
        const x = Number(data[i * components + c]);
        squares += x * x;
      }
      value = Math.sqrt(squares);
    }
    if (Number.isNaN(value)) nan++;
    else if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) infinite++;
    else {
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
    }
  }
  const finite = count - nan - infinite;
  if (finite === 0) return { min: Number.NaN, max: Number.NaN, mean: Number.NaN, nan, infinite, count };
  return { min, max, mean: sum / finite, nan, infinite, count };
}

/** Elements between two breaths: some milliseconds of work. */
const partLength = 1 << 22;

/** The same as `statistics`, in parts between which other events run; `begin` hears the share that is done. */
export async function statisticsInParts(
  data: TypedArray,
  components: number,
  begin: (share: number) => void,
): Promise<Statistics> {
  const step = partLength * components;
  const parts: Statistics[] = [];
  for (let first = 0; first < data.length; first += step) {
    begin(first / data.length);
    parts.push(statistics(data.subarray(first, first + step), components));
    if (first + step < data.length) await breathe();
  }
  return parts.length === 1 ? parts[0] : joined(parts);
}

function joined(parts: readonly Statistics[]): Statistics {
  const total = (part: (statistics: Statistics) => number) =>
    parts.reduce((sum, each) => sum + part(each), 0);
  const finiteOf = ({ count, nan, infinite }: Statistics) => count - nan - infinite;
  const counts = {
    nan: total(({ nan }) => nan),
    infinite: total(({ infinite }) => infinite),
    count: total(({ count }) => count),
  };
  const numbers = parts.filter((part) => finiteOf(part) > 0);
  if (numbers.length === 0) return { min: Number.NaN, max: Number.NaN, mean: Number.NaN, ...counts };
  const sum = numbers.reduce((sum, part) => sum + part.mean * finiteOf(part), 0);
  return {
    min: Math.min(...numbers.map(({ min }) => min)),
    max: Math.max(...numbers.map(({ max }) => max)),
    mean: sum / total(finiteOf),
    ...counts,
  };
}
