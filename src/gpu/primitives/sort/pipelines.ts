import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { clearWords, countAllDigits, scanDigits } from "./kernels/count-digits.ts";
import { sweepDigits } from "./kernels/onesweep.ts";
import { gatherCode, invertCode } from "./kernels/permute.ts";
import { countDigits, scanCounts, scatterDigits } from "./kernels/reduce-then-scan.ts";
import { sortAlone } from "./kernels/sort-alone.ts";
import { loneShape, type SweepShape, sweepShape, type TileShape } from "./shape.ts";

export interface InOrderPipelines {
  readonly count: GPUComputePipeline;
  readonly scan: GPUComputePipeline;
  readonly scatterKeys: GPUComputePipeline;
  readonly scatterPairs: GPUComputePipeline;
}

export interface SweepPipelines {
  readonly shape: SweepShape;
  readonly clear: GPUComputePipeline;
  readonly count: GPUComputePipeline;
  readonly scan: GPUComputePipeline;
  readonly sweepKeys: GPUComputePipeline;
  readonly sweepPairs: GPUComputePipeline;
  /** Passes whose ends are ordered keys. */
  readonly sweepOrderedKeys: GPUComputePipeline;
  readonly sweepOrderedPairs: GPUComputePipeline;
  /** What one workgroup sorts alone. */
  readonly lone: SweepShape;
  readonly loneKeys: GPUComputePipeline;
  readonly lonePairs: GPUComputePipeline;
}

/** One of the two forms of passes, and what permutations need. */
export interface SortPipelines {
  readonly inOrder?: InOrderPipelines;
  readonly sweep?: SweepPipelines;
  readonly gather: GPUComputePipeline;
  readonly invert: GPUComputePipeline;
}

/** Compiles the sort's kernels for a tile shape, once a device. */
export async function sortPipelines(
  gpu: GpuContext,
  shape: TileShape,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<SortPipelines> {
  const get = (entryPoint: string, code: string) =>
    gpu.pipelines.get({ label: `sort: ${entryPoint}`, code, entryPoint });
  const sweeps = strategy.subgroups && strategy.scan === "chained";
  const [gather, invert, passes] = await Promise.all([
    get("gather", gatherCode),
    get("invert", invertCode),
    sweeps ? sweeping() : inOrder(),
  ]);
  return { gather, invert, ...passes };

  async function inOrder(): Promise<{ inOrder: InOrderPipelines }> {
    const [count, scan, scatterKeys, scatterPairs] = await Promise.all([
      get("count_digits", countDigits(shape)),
      get("scan_counts", scanCounts(shape)),
      get("scatter_digits", scatterDigits(shape, false)),
      get("scatter_digits", scatterDigits(shape, true)),
    ]);
    return { inOrder: { count, scan, scatterKeys, scatterPairs } };
  }

  async function sweeping(): Promise<{ sweep: SweepPipelines }> {
    const swept = sweepShape(gpu.device);
    const lone = loneShape(gpu.device);
    const sweep = (withValues: boolean, areOrdered: boolean) =>
      get("sweep_digits", sweepDigits(swept, withValues, areOrdered, silent));
    const [clear, count, scan, keys, pairs, orderedKeys, orderedPairs, loneKeys, lonePairs] =
      await Promise.all([
        get("clear_words", clearWords),
        get("count_all_digits", countAllDigits),
        get("scan_digits", scanDigits),
        sweep(false, false),
        sweep(true, false),
        sweep(false, true),
        sweep(true, true),
        get("sort_alone", sortAlone(lone, false)),
        get("sort_alone", sortAlone(lone, true)),
      ]);
    return {
      sweep: {
        ...{ shape: swept, clear, count, scan, lone, loneKeys, lonePairs },
        ...{ sweepKeys: keys, sweepPairs: pairs },
        ...{ sweepOrderedKeys: orderedKeys, sweepOrderedPairs: orderedPairs },
      },
    };
  }
}
