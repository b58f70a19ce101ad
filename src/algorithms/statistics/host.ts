import type { TypedArray } from "../../core/dtype.ts";
import { yieldToEventLoop } from "../../core/job.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { ComponentRange, FieldValues, Statistics, StatisticsPrimitives } from "../../core/statistics.ts";
import { emptySummary, joined, type Summary, statisticsOf, summaryOf } from "./statistics.ts";

/** Primitives that read the host's arrays where they are. */
export interface HostPrimitives extends StatisticsPrimitives {
  adopt(type: "f32", data: Float32Array): Vector<"f32">;
  adoptWide(numbers: Float64Array): Vector<"f32">;
}

/** Elements between two breaths: some milliseconds of work. */
const partLength = 1 << 22;

/** Numbers of other types that are converted at a time. */
const blockLength = 1 << 17;

/** Interleaved numbers in host memory as a field. */
export function hostValues(
  primitives: HostPrimitives,
  data: Float32Array | Float64Array,
  components: number,
): FieldValues {
  const isWide = data instanceof Float64Array;
  return {
    primitives,
    values: isWide ? primitives.adoptWide(data) : primitives.adopt("f32", data),
    count: data.length / components,
    components,
    elementStride: components,
    componentStride: 1,
    offsets: new Array(components).fill(0),
  };
}

/**
 * The statistics of interleaved values in host memory, exact but for the rounding of f64 sums; in parts between which other
 * events run. `begin` hears the share that is done.
 */
export async function hostStatistics(
  primitives: HostPrimitives,
  data: TypedArray,
  components: number,
  begin?: (share: number) => void,
): Promise<Statistics> {
  return statisticsOf(await hostSummary(primitives, data, components, begin));
}

/** What these are made of, which can be joined with that of other parts. */
export async function hostSummary(
  primitives: HostPrimitives,
  data: TypedArray,
  components: number,
  begin: (share: number) => void = () => {},
): Promise<Summary> {
  let summary: Summary = { ...emptySummary, ranges: rangesOf(new Float32Array(0), components) };
  const step = partLength * components;
  for (let from = 0; from < data.length; from += step) {
    begin(from / data.length);
    if (from > 0) await yieldToEventLoop();
    for (const block of blocks(data, components, from, Math.min(from + step, data.length))) {
      const part = await summaryOf(hostValues(primitives, block, components));
      summary = joined(summary, { ...part, ranges: rangesOf(block, components) });
    }
  }
  return summary;
}

/** The finite ranges of several components. */
function rangesOf(values: Float32Array | Float64Array, components: number): readonly ComponentRange[] {
  if (components === 1) return [];
  return Array.from({ length: components }, (_, c): ComponentRange => {
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let i = c; i < values.length; i += components) {
      const x = values[i];
      if (x - x !== 0) continue;
      if (x < least) least = x;
      if (x > greatest) greatest = x;
    }
    return [least, greatest];
  });
}

/** How many of them lie in each part of a range, as `histogram` has it, by the exact edges. */
export async function hostHistogram(
  primitives: HostPrimitives,
  data: TypedArray,
  components: number,
  range: readonly [number, number],
  bins: number,
): Promise<Uint32Array> {
  // Asked for later than statistics, if at all.
  const { histogram } = await import("./histogram.ts");
  const counts = new Uint32Array(bins);
  const table = (numbers: readonly number[]) => primitives.adoptWide(Float64Array.from(numbers));
  for (const block of blocks(data, components, 0, data.length)) {
    const part = await histogram(hostValues(primitives, block, components), range, bins, table);
    for (let bin = 0; bin < bins; bin++) counts[bin] += part[bin];
  }
  return counts;
}

/** Values [from, to) as floating-point numbers: themselves, or converted a block at a time, which the next one overwrites. */
function* blocks(
  data: TypedArray,
  components: number,
  from: number,
  to: number,
): Generator<Float32Array | Float64Array> {
  if (data instanceof Float32Array || data instanceof Float64Array) {
    yield data.subarray(from, to);
    return;
  }
  const isSmall = data.BYTES_PER_ELEMENT < 4;
  const length = Math.min(to - from, Math.max(1, Math.floor(blockLength / components)) * components);
  const block = isSmall ? new Float32Array(length) : new Float64Array(length);
  for (let first = from; first < to; first += length) {
    const part = data.subarray(first, Math.min(first + length, to));
    if (part instanceof BigInt64Array || part instanceof BigUint64Array) {
      for (let i = 0; i < part.length; i++) block[i] = Number(part[i]);
    } else block.set(part);
    yield block.subarray(0, part.length);
  }
}
