import type { GpuContext } from "../../device/context.ts";
import { gatherCode, invertCode } from "./kernels/permute.ts";
import { countDigits, scanCounts, scatterDigits } from "./kernels/reduce-then-scan.ts";
import type { TileShape } from "./shape.ts";

export interface SortPipelines {
  readonly count: GPUComputePipeline;
  readonly scan: GPUComputePipeline;
  readonly scatterKeys: GPUComputePipeline;
  readonly scatterPairs: GPUComputePipeline;
  readonly gather: GPUComputePipeline;
  readonly invert: GPUComputePipeline;
}

/** Compiles the sort's kernels for a tile shape, once a device. */
export async function sortPipelines(gpu: GpuContext, shape: TileShape): Promise<SortPipelines> {
  const get = (entryPoint: string, code: string) =>
    gpu.pipelines.get({ label: `sort: ${entryPoint}`, code, entryPoint });
  const [count, scan, scatterKeys, scatterPairs, gather, invert] = await Promise.all([
    get("count_digits", countDigits(shape)),
    get("scan_counts", scanCounts(shape)),
    get("scatter_digits", scatterDigits(shape, false)),
    get("scatter_digits", scatterDigits(shape, true)),
    get("gather", gatherCode),
    get("invert", invertCode),
  ]);
  return { count, scan, scatterKeys, scatterPairs, gather, invert };
}
