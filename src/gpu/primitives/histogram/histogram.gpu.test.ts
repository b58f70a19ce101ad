import { expect, it } from "vitest";
import { binOf, edgesOf, evenBins } from "../../../core/primitives/histogram.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createHistogramEven, createHistogramRange } from "./histogram.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;

type Data = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  /** The length on the GPU. */
  readonly count?: number;
}

/** The counts that `record` leaves in poisoned words; what lies around them has to stay poisoned. */
async function run(
  data: Data,
  edges: Data,
  bins: number,
  record: (operands: { input: View; edges: View; output: View; count: View & { max: number } }) => void,
  { offset = 0, count = data.length }: Options = {},
) {
  const scope = gpu.scope();
  const place = (data: Data, before = offset) => {
    const pooled = scope.allocate("histogram test", (before + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(before + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, before * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset: before, length: data.length } };
  };
  const output = place(new Uint32Array(bins).fill(poison), 3);
  record({
    input: place(data).view,
    edges: place(edges).view,
    output: output.view,
    count: { ...place(Uint32Array.of(count)).view, max: data.length },
  });
  recorder.submit();
  const words = await readU32(gpu, output.pooled);
  scope.release();
  expect([...words.subarray(0, 3), words[bins + 3]]).toEqual([poison, poison, poison, poison]);
  return [...words.subarray(3, bins + 3)];
}

const noise = (n: number, bits: number) =>
  Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> (32 - bits));
const none = new Uint32Array(0);

it("counts equal parts of integers and numbers, at any length and offset", async () => {
  const floats = (n: number) => Float32Array.from(noise(n, 32), (x) => x / 2 ** 24 - 128);
  const ints = (n: number) => Int32Array.from(noise(n, 20), (x) => x - 2 ** 19);
  for (const [type, make] of [
    ["u32", (n: number) => noise(n, 32)],
    ["i32", ints],
    ["f32", floats],
  ] as const) {
    const histogram = await createHistogramEven(gpu, type);
    for (const [n, bins, low, high, offset] of [
      [0, 3, 0, 1, 0],
      [1, 1, 0, 2 ** 32, 1],
      [3, 2, -100, 100, 2],
      [4095, 256, 0, 2 ** 32, 64],
      [5000, 7, -99.7, 100.3, 3],
      [20_000, 100, -(2 ** 19), 2 ** 19, 0],
      [9001, 4096, 0, 2 ** 31, 1],
      [70_000, 5000, -128, 128, 65],
      [3000, 65_536, 0.5, 70_000.25, 0],
      [50_000, 60_000, 0, 2 ** 31 + 0.3, 0],
      [3000, 10, -1e12, 1e12, 0],
      [3000, 10, -9, -8, 0],
    ]) {
      const data = make(n);
      const expected = new Array(bins).fill(0);
      const even = evenBins(type, low, high, bins);
      for (const x of data) if (binOf(even, x) >= 0) expected[binOf(even, x)]++;
      const got = await run(
        data,
        none,
        bins,
        ({ input, output }) => histogram.record(recorder, { input, output, low, high }),
        { offset },
      );
      expect(got, `${n} ${type} in ${bins} bins of [${low}, ${high})`).toEqual(expected);
    }
  }
});

it("leaves out NaN and what is outside, and takes subnormals for 0", async () => {
  const histogram = await createHistogramEven(gpu, "f32");
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  const data = Float32Array.of(
    nan,
    -nan,
    infinity,
    -infinity,
    1,
    0,
    -0,
    2 ** -149,
    -(2 ** -149),
    1 - 2 ** -24,
    -1e-30,
  );
  data.set(new Float32Array(Uint32Array.of(0xffc00001).buffer), 1);
  const got = await run(data, none, 4, ({ input, output }) =>
    histogram.record(recorder, { input, output, low: 0, high: 1 }),
  );
  expect(got).toEqual([4, 0, 0, 1]);
});

it("counts data that are all alike, and a length on the GPU", async () => {
  const histogram = await createHistogramEven(gpu, "u32");
  for (const [n, count, bins] of [
    [100_000, 100_000, 256],
    [100_000, 77_777, 60_000],
    [70_001, 70_000, 2 ** 20],
    [5000, 0, 256],
    [5000, 4099, 4096],
  ]) {
    const got = await run(
      new Uint32Array(n).fill(200),
      none,
      bins,
      ({ input, output, count }) => histogram.record(recorder, { input, output, count, low: 0, high: bins }),
      { count, offset: 1 },
    );
    expect(got).toEqual(Array.from({ length: bins }, (_, bin) => (bin === 200 ? count : 0)));
  }
});

it("counts a frequent bin among many", async () => {
  const histogram = await createHistogramEven(gpu, "u32");
  const data = noise(50_000, 16).map((x, i) => (i % 3 === 1 ? 1234 : x));
  const expected = new Array(65_536).fill(0);
  for (const x of data) expected[x]++;
  const got = await run(data, none, 65_536, ({ input, output }) =>
    histogram.record(recorder, { input, output, low: 0, high: 65_536 }),
  );
  expect(got).toEqual(expected);
});

it("counts between edges, few and many", async () => {
  const spread = (n: number, from: number) => Array.from({ length: n }, (_, k) => from + k * 37.25 + (k % 3));
  for (const [type, data, edges, offset] of [
    ["u32", noise(5000, 10), [-5, -3, 0.5, 7, 7.5, 500, 2 ** 40, 2 ** 41], 1],
    ["i32", Int32Array.from(noise(5000, 10), (x) => x - 512), [Number.NEGATIVE_INFINITY, -100, 0, 100], 0],
    ["f32", Float32Array.from(noise(9000, 12), (x) => x / 4 - 10), spread(30, -3), 2],
    [
      "f32",
      Float32Array.of(Number.NaN, -0, 0, 3, Number.POSITIVE_INFINITY, 2 ** -149),
      [0, 2 ** -149, 3, 1e30],
      0,
    ],
    ["u32", noise(20_000, 20), spread(2048, 100), 3],
    ["u32", noise(20_000, 20), spread(2049, 100), 65],
    ["u32", noise(30_000, 22), spread(65_537, 1e5), 0],
  ] as const) {
    const histogram = await createHistogramRange(gpu, type);
    const expected = new Array(edges.length - 1).fill(0);
    const elements = type === "f32" ? edges.map(Math.fround) : edges;
    let above = 0;
    for (const x of data.slice().sort()) {
      while (above < elements.length && x >= elements[above]) above++;
      if (above > 0 && above < elements.length && !Number.isNaN(x)) expected[above - 1]++;
    }
    const got = await run(
      data,
      edgesOf(type, edges).slice(),
      expected.length,
      ({ input, output, edges }) => histogram.record(recorder, { input, output, edges }),
      { offset },
    );
    expect(got, `${type} between ${edges.length} edges`).toEqual(expected);
  }
});

it("refuses bins and edges that make no sense", async () => {
  const histogram = await createHistogramEven(gpu, "f32");
  const scope = gpu.scope();
  const [input, output] = [0, 1].map(() => {
    const { buffer } = scope.allocate("histogram test", 64, usage);
    return { buffer, offset: 0, length: 16 };
  });
  const record = (low: number, high: number, length = 4) =>
    histogram.record(recorder, { input, output: { ...output, length }, low, high });
  expect(() => record(0, 1, 0)).toThrow("0 bins");
  expect(() => record(1, 1)).toThrow("[1, 1)");
  expect(() => record(Number.NaN, 1)).toThrow("[NaN, 1)");
  expect(() => record(-3e38, 3e38)).toThrow("[-3e+38, 3e+38)");
  expect(() => record(0, 1e-39)).toThrow("[0, 1e-39)");
  expect(() => record(0, 2e-38)).toThrow("too narrow");
  const range = await createHistogramRange(gpu, "u32");
  expect(() =>
    range.record(recorder, { input, output: { ...output, length: 4 }, edges: { ...input, length: 6 } }),
  ).toThrow("6 edges and 4 bins");
  expect(() => edgesOf("u32", [1])).toThrow("two");
  expect(() => edgesOf("f32", [0, 2, 1])).toThrow("edge 2 is 1");
  expect(() => edgesOf("f32", [0, Number.NaN, 1])).toThrow("edge 1 is NaN");
  scope.release();
});
