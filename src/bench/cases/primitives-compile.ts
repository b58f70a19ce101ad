import { add } from "../../core/primitives/operators.ts";
import { GpuContext } from "../../gpu/device/context.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { createCompact, createPartition } from "../../gpu/primitives/compact/compact.ts";
import { createSegmentedSplit } from "../../gpu/primitives/compact/segmented-split.ts";
import { createCountingSearch } from "../../gpu/primitives/counting-search/counting-search.ts";
import { createReverse } from "../../gpu/primitives/elementwise/reverse.ts";
import { createTransform } from "../../gpu/primitives/elementwise/transform.ts";
import { createGather, createIndexCheck, createScatter } from "../../gpu/primitives/gather/gather.ts";
import { createHistogramEven, createHistogramRange } from "../../gpu/primitives/histogram/histogram.ts";
import { createMerge } from "../../gpu/primitives/merge/merge.ts";
import { reduction } from "../../gpu/primitives/reduce/kernels.ts";
import { createReduce } from "../../gpu/primitives/reduce/reduce.ts";
import {
  createReduceByKey,
  createRunLengthEncode,
  createUnique,
  createUniqueByKey,
} from "../../gpu/primitives/runs/runs.ts";
import { createScan } from "../../gpu/primitives/scan/scan.ts";
import { createSearch } from "../../gpu/primitives/search/search.ts";
import { createSetOperator } from "../../gpu/primitives/sets/sets.ts";
import { createRadixSort } from "../../gpu/primitives/sort/radix-sort.ts";
import type { BenchCase } from "../case.ts";

/** Of what transforms read. */
const kinds = ["view", "counting", "constant", "reversed", "permuted"] as const;

/** Milliseconds until every kind of primitive is ready for u32, all compiled at once. n: pipelines. */
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
      createCompact(fresh, { type: "u32", words: 1, selection: "stencil", keeps: "selected" }, strategy),
      createPartition(fresh, { type: "u32", words: 1, selection: "stencil" }, strategy),
      createSegmentedSplit(fresh, { words: 1, segments: "u32" }, strategy),
      createHistogramEven(fresh, "u32"),
      createHistogramRange(fresh, "u32"),
      createSearch(fresh, "u32", "lower"),
      createSearch(fresh, "u32", "upper"),
      createCountingSearch(fresh, strategy),
      createMerge(fresh, "u32"),
      ...(["union", "intersection", "difference"] as const).map((operation) =>
        createSetOperator(fresh, "u32", operation, strategy),
      ),
      ...[false, true].flatMap((hasStencil) => [
        createGather(fresh, 1, hasStencil),
        createScatter(fresh, 1, hasStencil),
        createIndexCheck(fresh, hasStencil),
      ]),
      createReverse(fresh, 2),
      ...kinds.map((kind) =>
        createTransform(fresh, { name: kind, inputs: [{ kind, type: "u32" }], type: "u32", text: "x0" }),
      ),
    ]);
    const ms = performance.now() - start;
    return { n: fresh.pipelines.count, ms, bytes: 0, verified: fresh.pipelines.count > 0 };
  },
};
