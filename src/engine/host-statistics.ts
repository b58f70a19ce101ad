import { hostHistogram, hostStatistics } from "../algorithms/statistics/host.ts";
import type { TypedArray } from "../core/dtype.ts";
import type { Statistics } from "../core/statistics.ts";
import { createCpuEach } from "../cpu/primitives/each-primitives.ts";

const primitives = createCpuEach();

/** The statistics of interleaved values in host memory, as `hostStatistics` takes them. */
export const statisticsOf = (
  data: TypedArray,
  components: number,
  begin?: (share: number) => void,
): Promise<Statistics> => hostStatistics(primitives, data, components, begin);

/** Their counts, as `hostHistogram` takes them. */
export const countsOf = (
  data: TypedArray,
  components: number,
  range: readonly [number, number],
  bins: number,
): Promise<Uint32Array> => hostHistogram(primitives, data, components, range, bins);
