import { add } from "../../core/primitives/operators.ts";
import { GpuContext } from "../../gpu/device/context.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { reduction } from "../../gpu/primitives/reduce/kernels.ts";
import { createReduce } from "../../gpu/primitives/reduce/reduce.ts";
import {
  createReduceByKey,
  createRunLengthEncode,
  createUnique,
  createUniqueByKey,
} from "../../gpu/primitives/runs/runs.ts";
import { createScan } from "../../gpu/primitives/scan/scan.ts";
import { createRadixSort } from "../../gpu/primitives/sort/radix-sort.ts";
import type { BenchCase } from "../case.ts";

/**
 * Milliseconds until a set of primitives of u32 is ready, all compiled at once: reductions, scans, by key too, runs
 * and the sort. n: pipelines.
 */
export const compileCase: BenchCase = {
  name: "compile/primitives",
  async run({ gpu }) {
    const strategy = await chooseStrategy(gpu);
    const fresh = new GpuContext(gpu.device, gpu.adapter);
    const scan = { type: "u32", operator: add } as const;
    const start = performance.now();
    await Promise.all([
      createReduce(fresh, reduction("u32", add)),
      createScan(fresh, scan, strategy),
      createScan(fresh, { ...scan, exclusive: true }, strategy),
      createScan(fresh, { ...scan, segments: "u32" }, strategy),
      createScan(fresh, { ...scan, segments: "u32", exclusive: true }, strategy),
      createReduceByKey(fresh, "u32", "u32", add, strategy),
      createRunLengthEncode(fresh, "u32", strategy),
      createUniqueByKey(fresh, "u32", strategy),
      createUnique(fresh, "u32", strategy),
      createRadixSort(fresh, strategy),
    ]);
    const ms = performance.now() - start;
    return { n: fresh.pipelines.count, ms, bytes: 0, verified: fresh.pipelines.count > 0 };
  },
};
