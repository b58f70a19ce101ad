import { edgesOf } from "../../core/primitives/histogram.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { View } from "../../gpu/compute/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../gpu/device/pool.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { createHistogramEven, createHistogramRange } from "../../gpu/primitives/histogram/histogram.ts";
import { createMerge } from "../../gpu/primitives/merge/merge.ts";
import { createSearch } from "../../gpu/primitives/search/search.ts";
import { createSortedSearch } from "../../gpu/primitives/search/sorted-search.ts";
import { createSetOperator } from "../../gpu/primitives/sets/sets.ts";
import type { BenchCase, BenchContext, Measurement } from "../case.ts";
import { timeRecorded } from "../measure.ts";

/** Elements after which ascending data and those of histograms repeat their noise; lengths are multiples of it. */
const period = 1 << 14;
const multiple = (n: number) => Math.ceil(n / period) * period;
export const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
export const viewOf = ({ buffer, size }: PooledBuffer): View => ({ buffer, offset: 0, length: size / 4 });

/** Noise of 32 bits, the same in WGSL. */
export function noise(i: number): number {
  let x = Math.imul(i ^ (i >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

const noiseCode = /* wgsl */ `
fn noise(i: u32) -> u32 {
  var x = (i ^ (i >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return x ^ (x >> 16u);
}`;

/** A buffer of n words, word i of which is a WGSL expression in \`i\`. */
export async function generate(
  gpu: GpuContext,
  scope: BufferScope,
  n: number,
  expression: string,
): Promise<PooledBuffer> {
  const target = scope.allocate("bench: input", n * 4, usage());
  const code = /* wgsl */ `${noiseCode}
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(256)
fn generate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * 256u;
  if (i < arrayLength(&words)) { words[i] = ${expression}; }
}`;
  const pipeline = await gpu.pipelines.get({ label: "bench: generate", code, entryPoint: "generate" });
  const recorder = new Recorder(gpu);
  recorder.dispatch(pipeline, [{ buffer: target.buffer }], Math.ceil(n / 256));
  recorder.submit();
  recorder.dispose();
  return target;
}

type Work = (context: BenchContext, scope: BufferScope, recorder: Recorder) => Promise<Measurement>;

export const benchCase = (name: string, work: Work): BenchCase => ({
  name: `primitives/${name}`,
  async run(context) {
    const scope = context.gpu.scope();
    const recorder = new Recorder(context.gpu);
    try {
      return await work(context, scope, recorder);
    } finally {
      recorder.dispose();
      scope.release();
    }
  },
});

/** As many needles, random or ascending, as ascending elements: 1, 3, 5, … */
const searchCase = (name: string, isSorted: boolean): BenchCase =>
  benchCase(name, async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
    const n = multiple(wanted ?? (isQuick ? 1 << 15 : 1 << 26));
    const needle = isSorted
      ? { wgsl: "2u * i + (noise(i) & 1u)", js: (i: number) => 2 * i + (noise(i) & 1) }
      : { wgsl: `noise(i) % ${2 * n}u`, js: (i: number) => noise(i) % (2 * n) };
    const [sorted, needles] = [
      await generate(gpu, scope, n, "2u * i + 1u"),
      await generate(gpu, scope, n, needle.wgsl),
    ];
    const output = scope.allocate("bench: output", n * 4, usage());
    const search = await (isSorted ? createSortedSearch : createSearch)(gpu, "u32", "upper");
    const operands = { sorted: viewOf(sorted), needles: viewOf(needles), output: viewOf(output) };
    const ms = await timeRecorded(gpu, recorder, () => search.record(recorder, operands));
    let verified = true;
    for (const first of [0, n / 2, n - period]) {
      const got = await readU32(gpu, output, first, period);
      verified &&= got.every((place, k) => place === (needle.js(first + k) + 1) >>> 1);
    }
    return { n, ms, bytes: n * 12, verified };
  });

/** Of each four numbers from 4 k on, `a` has one and `b` has one. */
const ascending = (seed: number) => ({
  wgsl: `4u * i + (noise(i % ${period}u + ${seed}u) & 3u)`,
  js: (i: number) => 4 * i + (noise((i % period) + seed) & 3),
});
const [ofA, ofB] = [ascending(0), ascending(period)];

const mergeCase = benchCase("merge_u32", async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
  const half = multiple((wanted ?? (isQuick ? 1 << 15 : 1 << 28)) / 2);
  const n = 2 * half;
  const [a, b] = [await generate(gpu, scope, half, ofA.wgsl), await generate(gpu, scope, half, ofB.wgsl)];
  const output = scope.allocate("bench: output", n * 4, usage());
  const merge = await createMerge(gpu, "u32");
  const operands = { a: viewOf(a), b: viewOf(b), output: viewOf(output) };
  const ms = await timeRecorded(gpu, recorder, () => merge.record(recorder, operands));
  let verified = true;
  for (const first of [0, half, n - period]) {
    const got = await readU32(gpu, output, first, period);
    for (let k = 0; k < period; k += 2) {
      const pair = [ofA.js((first + k) / 2), ofB.js((first + k) / 2)];
      verified &&= got[k] === Math.min(...pair) && got[k + 1] === Math.max(...pair);
    }
  }
  return { n, ms, bytes: n * 8, verified };
});

const unionCase = benchCase("set_union_u32", async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
  const half = multiple((wanted ?? (isQuick ? 1 << 15 : 1 << 28)) / 2);
  const n = 2 * half;
  const [a, b] = [await generate(gpu, scope, half, ofA.wgsl), await generate(gpu, scope, half, ofB.wgsl)];
  const output = scope.allocate("bench: output", n * 4, usage());
  const total = scope.allocate("bench: total", 4, usage());
  const union = await createSetOperator(gpu, "u32", "union", await chooseStrategy(gpu));
  const operands = { a: viewOf(a), b: viewOf(b), output: viewOf(output), total: viewOf(total) };
  const ms = await timeRecorded(gpu, recorder, () => union.record(recorder, operands));
  const due: number[] = [];
  for (let i = 0; i < period; i++) due.push(...new Set([ofA.js(i), ofB.js(i)].sort((x, y) => x - y)));
  const [count] = await readU32(gpu, total);
  const periods = half / period;
  let verified = count === due.length * periods;
  for (const k of [0, periods - 1]) {
    const got = await readU32(gpu, output, k * due.length, due.length);
    verified &&= got.every((x, i) => x === due[i] + 4 * period * k);
  }
  return { n, ms, bytes: 4 * (n + count), verified };
});

/** Element i of histograms' data. */
type Element = { readonly wgsl: string; readonly js: (i: number) => number };
const random: Element = { wgsl: `noise(i % ${period}u)`, js: (i) => noise(i) };
const same: Element = { wgsl: "0xc8000000u + 0u * i", js: () => 0xc8000000 };
const two: Element = {
  wgsl: `noise(i % ${period}u) & 0x80000000u`,
  js: (i) => (noise(i) & 0x80000000) >>> 0,
};

const histogramCase = (name: string, bins: number, element: Element, isRange = false): BenchCase =>
  benchCase(name, async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
    const n = multiple(wanted ?? (isQuick ? 1 << 15 : 1 << 28));
    const input = viewOf(await generate(gpu, scope, n, element.wgsl));
    const counts = scope.allocate("bench: output", bins * 4, usage());
    const output = viewOf(counts);
    const record = isRange ? await range() : await even();
    const ms = await timeRecorded(gpu, recorder, record);
    const due = new Uint32Array(bins);
    for (let i = 0; i < period; i++) due[Math.floor(element.js(i) / (2 ** 32 / bins))] += n / period;
    const got = await readU32(gpu, counts);
    return { n, ms, bytes: n * 4, verified: got.every((count, bin) => count === due[bin]) };

    async function even() {
      const histogram = await createHistogramEven(gpu, "u32");
      return () => histogram.record(recorder, { input, output, low: 0, high: 2 ** 32 });
    }
    async function range() {
      const histogram = await createHistogramRange(gpu, "u32");
      const words = edgesOf(
        "u32",
        Array.from({ length: bins + 1 }, (_, k) => (k / bins) * 2 ** 32),
      );
      const edges = scope.allocate("bench: edges", words.byteLength, usage());
      gpu.device.queue.writeBuffer(edges.buffer, 0, words.slice());
      return () => histogram.record(recorder, { input, output, edges: viewOf(edges) });
    }
  });

export const searchCases: readonly BenchCase[] = [
  searchCase("upper_bound_u32", false),
  searchCase("upper_bound_ascending_u32", true),
  mergeCase,
  unionCase,
  histogramCase("histogram_256", 256, random),
  histogramCase("histogram_256_equal", 256, same),
  histogramCase("histogram_65536", 65_536, random),
  histogramCase("histogram_65536_equal", 65_536, same),
  histogramCase("histogram_65536_two", 65_536, two),
  histogramCase("histogram_range_256", 256, random, true),
];
