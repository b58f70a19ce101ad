import { afterAll, describe, expect, it } from "vitest";
import { add } from "../../../core/primitives/operators.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { Count, View } from "../../compute/view.ts";
import { GpuContext } from "../../device/context.ts";
import { testGpu } from "../../testing/context.ts";
import { createCompact } from "../compact/compact.ts";
import { createCountingSearch } from "../counting-search/counting-search.ts";
import { createReverse } from "../elementwise/reverse.ts";
import { createTransform } from "../elementwise/transform.ts";
import { createGather, createIndexCheck, createScatter } from "../gather/gather.ts";
import { createHistogramEven } from "../histogram/histogram.ts";
import { createMerge } from "../merge/merge.ts";
import { reduction } from "../reduce/kernels.ts";
import { createReduce } from "../reduce/reduce.ts";
import { createReduceByKey } from "../runs/runs.ts";
import { createScan } from "../scan/scan.ts";
import { createSearch } from "../search/search.ts";
import { createSetOperator } from "../sets/sets.ts";
import { createRadixSort } from "../sort/radix-sort.ts";

const gpu = await testGpu();
const other = await GpuContext.open(navigator.gpu);
const recorder = new Recorder(gpu);
const scope = gpu.scope();
const strategy = { subgroups: false, scan: "reduce-then-scan" } as const;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const n = 8;

const view = (context = gpu): View => {
  const { buffer } = (context === gpu ? scope : context.pool).allocate("a view", 4 * n, usage);
  return { buffer, offset: 0, length: n };
};
const [a, b, result] = [view(), view(), { ...view(), length: 1 }];

interface Operands {
  readonly input: View;
  readonly output: View;
  readonly count: Count;
}

const [reduce, scan, runs, compact, sort, gather, scatter, check, reverse, transform, histogram] =
  await Promise.all([
    createReduce(gpu, reduction("u32", add)),
    createScan(gpu, { type: "u32", operator: add }, strategy),
    createReduceByKey(gpu, "u32", "u32", add, strategy),
    createCompact(gpu, { type: "u32", words: 1, selection: "stencil", keeps: "selected" }, strategy),
    createRadixSort(gpu, strategy),
    createGather(gpu, 1),
    createScatter(gpu, 1),
    createIndexCheck(gpu),
    createReverse(gpu),
    createTransform(gpu, { name: "f", inputs: [{ kind: "view", type: "u32" }], type: "u32", text: "x0" }),
    createHistogramEven(gpu, "u32"),
  ]);
const [search, counting, merge, union] = await Promise.all([
  createSearch(gpu, "u32", "lower"),
  createCountingSearch(gpu, strategy),
  createMerge(gpu, "u32"),
  createSetOperator(gpu, "u32", "difference", strategy),
]);

const records: Readonly<Record<string, (operands: Operands) => void>> = {
  reduce: ({ input, output, count }) =>
    reduce.record(recorder, { inputs: [input], result: output, count, empty: [0] }),
  scan: (operands) => scan.record(recorder, operands),
  "reduce by key": ({ input, output, count }) =>
    runs.record(recorder, { keys: input, values: a, keysOut: output, valuesOut: b, runs: result, count }),
  compact: (operands) => compact.record(recorder, { ...operands, stencil: a, kept: result }),
  "number of kept": ({ input, output, count }) =>
    compact.record(recorder, { input, stencil: a, output: b, kept: output, count }),
  sort: ({ input, output, count }) =>
    sort.record(recorder, { type: "u32", keys: input, sorted: output, count }),
  gather: ({ input, output, count }) => gather.record(recorder, { map: a, source: input, output, count }),
  scatter: ({ input, output, count }) =>
    scatter.record(recorder, { map: a, source: input, target: output, count }),
  "check of indices": ({ input, output, count }) =>
    check.record(recorder, { map: input, length: 5, bad: output, count }),
  reverse: (operands) => reverse.record(recorder, operands),
  transform: ({ input, output, count }) =>
    transform.record(recorder, { inputs: [{ kind: "view", view: input }], output, count }),
  histogram: (operands) => histogram.record(recorder, { ...operands, low: 0, high: 8 }),
  search: ({ input, output, count }) => search.record(recorder, { sorted: a, needles: input, output, count }),
  "search of a part": ({ input, output, count }) =>
    search.record(recorder, { sorted: input, needles: a, output, sortedCount: count }),
  "counting search": ({ input, output, count }) =>
    counting.record(recorder, { sorted: input, output, sortedCount: count }),
  merge: ({ input, output, count }) =>
    merge.record(recorder, { a: input, b: { ...a, length: 0 }, output, aCount: count }),
  "set operation": ({ input, output, count }) =>
    union.record(recorder, { a: input, b: a, output, total: result, aCount: count }),
};

const destroyed = () => {
  const pooled = gpu.pool.allocate("released", 4 * n, usage);
  pooled.release();
  return { buffer: pooled.buffer, offset: 0, length: n };
};
const good = { input: view(), output: view(), count: n };
const counter = view();
const bad: Readonly<Record<string, Operands>> = {
  "a released input": { ...good, input: destroyed() },
  "a released output": { ...good, output: destroyed() },
  "a released count": { ...good, count: { ...destroyed(), max: n } },
  "another device's input": { ...good, input: view(other) },
  "another device's output": { ...good, output: view(other) },
  "another device's count": { ...good, count: { ...view(other), max: n } },
  "a count past its buffer": { ...good, count: { ...counter, offset: n, max: n } },
  "a count in the output": { ...good, count: { ...good.output, max: n } },
  "a negative count": { ...good, count: -1 },
  "half a count": { ...good, count: 2.5 },
  "a count over the input": { ...good, count: n + 1 },
  "a count that can be over the input": { ...good, count: { ...counter, max: n + 1 } },
  "an empty output": { ...good, output: { ...good.output, length: 0 } },
};

/** Whose output may be of any length: what does not fit is left out, or one word of it is taken. */
const takesAnyOutput = ["compact", "scatter", "counting search", "reduce", "check of indices"];

afterAll(() => {
  scope.release();
  recorder.dispose();
  other.dispose();
});

describe("every primitive refuses, before anything is recorded,", () => {
  for (const [what, operands] of Object.entries(bad)) {
    it(what, () => {
      const { kernels } = gpu.counters;
      const passed = Object.entries(records).filter(([name, record]) => {
        if (what === "an empty output" && takesAnyOutput.includes(name)) return false;
        try {
          record(operands);
          return true;
        } catch (error) {
          expect(error, name).toMatchObject({ tag: "BadArgument" });
          return false;
        }
      });
      expect(passed.map(([name]) => name)).toEqual([]);
      expect(gpu.counters.kernels).toBe(kernels);
    });
  }

  it("and takes what is right", async () => {
    for (const [name, record] of Object.entries(records)) {
      await gpu.checked(name, () => {
        record(good);
        record({ ...good, count: { ...counter, max: n } });
        recorder.submit();
      });
    }
  });
});
