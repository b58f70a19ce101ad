import { expect, it } from "vitest";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createSearch, type Search } from "./search.ts";
import { createSortedSearch } from "./sorted-search.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;

type Data = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  /** Counts on the GPU, of needles and of sorted elements. */
  readonly counts?: readonly [needles: number, sorted: number];
}

/** Positions of all needles; what lies around them, and what a count leaves out, has to stay poisoned. */
async function find(search: Search, sorted: Data, needles: Data, { offset = 0, counts }: Options = {}) {
  const scope = gpu.scope();
  const place = (data: Data) => {
    const pooled = scope.allocate("search test", (offset + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(offset + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length } };
  };
  const output = place(new Uint32Array(needles.length).fill(poison));
  const counter = counts && place(Uint32Array.from(counts));
  search.record(recorder, {
    sorted: place(sorted).view,
    needles: place(needles).view,
    output: output.view,
    count: counter && { buffer: counter.view.buffer, offset, max: needles.length },
    sortedCount: counter && { buffer: counter.view.buffer, offset: offset + 1, max: sorted.length },
  });
  recorder.submit();
  const words = await readU32(gpu, output.pooled);
  scope.release();
  const count = counts?.[0] ?? needles.length;
  expect(words.subarray(0, offset).every((word) => word === poison)).toBe(true);
  expect(words.subarray(offset + count).every((word) => word === poison)).toBe(true);
  return words.subarray(offset, offset + count);
}

/** Whether a comes before b; −0 equals +0, NaN is greatest. */
const isBefore = (a: number, b: number) => a < b || (Number.isNaN(b) && !Number.isNaN(a));

/** Positions by walking: elements before each needle, or not after it. */
function expected(sorted: Data, needles: Data, isUpper: boolean): number[] {
  return [...needles].map((x) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isUpper ? !isBefore(x, sorted[middle]) : isBefore(sorted[middle], x)) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

const arrays = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };
const noise = (n: number, bits: number) =>
  Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> (32 - bits));
const ascending = <T extends Data>(data: T): T =>
  data.sort((a, b) => Number(isBefore(b, a)) - Number(isBefore(a, b))) as T;

for (const type of ["u32", "i32", "f32"] as const satisfies ScalarType[]) {
  for (const isUpper of [false, true]) {
    it(`finds the ${isUpper ? "last" : "first"} place for ${type}, at any size and offset`, async () => {
      const search = await createSearch(gpu, type, isUpper ? "upper" : "lower");
      const make = (n: number, bits: number): Data =>
        arrays[type].from(Array.from(noise(n, bits), (x) => (type === "u32" ? x : x - 2 ** (bits - 1))));
      for (const [n, m, bits, offset] of [
        [0, 5, 8, 0],
        [1, 3, 2, 1],
        [7, 100, 3, 3],
        [8, 1, 3, 0],
        [9, 1023, 4, 65],
        [511, 1024, 8, 0],
        [512, 1025, 32, 2],
        [4095, 300, 5, 0],
        [5000, 3000, 32, 7],
        [40_000, 2500, 12, 0],
        [40_000, 2500, 1, 0],
      ]) {
        const [sorted, needles] = [ascending(make(n, bits)), make(m, bits)];
        const got = await find(search, sorted, needles, { offset });
        expect([...got], `${m} in ${n}`).toEqual(expected(sorted, needles, isUpper));
      }
    });
  }
}

it("reads both lengths on the GPU", async () => {
  const search = await createSearch(gpu, "u32", "upper");
  const [sorted, needles] = [ascending(noise(9000, 14)), noise(5000, 14)];
  for (const counts of [
    [0, 9000],
    [4999, 0],
    [1, 8191],
    [4097, 513],
  ] as const) {
    const got = await find(search, sorted, needles, { counts });
    expect([...got]).toEqual(expected(sorted.subarray(0, counts[1]), needles.subarray(0, counts[0]), true));
  }
});

it("searches for ascending needles by merging", async () => {
  for (const [type, bound] of [
    ["u32", "lower"],
    ["u32", "upper"],
    ["i32", "upper"],
    ["f32", "lower"],
  ] as const) {
    const search = await createSortedSearch(gpu, type, bound);
    for (const [n, m, bits, offset, counts] of [
      [0, 5, 8, 0, undefined],
      [5, 0, 8, 0, undefined],
      [3840, 1, 8, 1, undefined],
      [1, 3840, 3, 0, undefined],
      [9000, 7000, 10, 65, undefined],
      [9000, 7000, 31, 2, [6999, 8000]],
      [5000, 20_000, 1, 0, [4000, 0]],
    ] as const) {
      const [sorted, needles] = [n, m].map((length) =>
        ascending(arrays[type].from(Array.from(noise(length, bits), (x) => x - (type === "u32" ? 0 : 100)))),
      );
      const got = await find(search, sorted, needles, { offset, counts });
      const [those, these] = [sorted.subarray(0, counts?.[1]), needles.subarray(0, counts?.[0])];
      expect([...got], `${bound} bound of ${m} ${type} in ${n}`).toEqual(
        expected(those, these, bound === "upper"),
      );
    }
  }
});

it("searches through a tree of the elements", async () => {
  for (const [type, bits] of [
    ["u32", 30],
    ["f32", 17],
  ] as const) {
    const search = await createSearch(gpu, type, "lower");
    const n = (1 << 18) + 4099;
    const sorted = ascending(arrays[type].from(noise(n, bits)));
    const needles = arrays[type].from(noise(20_000, bits).map((x) => x + 1));
    for (const counts of [undefined, [20_000, n - 77], [20_000, 1000]] as const) {
      const got = await find(search, sorted, needles, { offset: 3, counts });
      expect([...got]).toEqual(expected(sorted.subarray(0, counts?.[1]), needles, false));
    }
  }
});

it("takes −0 for +0, NaN for the greatest, and distinguishes subnormals", async () => {
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  const tiny = 2 ** -149;
  const sorted = Float32Array.of(-infinity, -1, -tiny, -0, 0, -0, tiny, 2 * tiny, 1, infinity, nan, nan);
  const negativeNan = new Float32Array(Uint32Array.of(0xffc00001).buffer)[0];
  const needles = Float32Array.of(0, -0, tiny, -tiny, nan, negativeNan, infinity, -infinity, 3e38);
  const [lower, upper] = [await createSearch(gpu, "f32", "lower"), await createSearch(gpu, "f32", "upper")];
  expect([...(await find(lower, sorted, needles))]).toEqual([3, 3, 6, 2, 10, 10, 9, 0, 9]);
  expect([...(await find(upper, sorted, needles))]).toEqual([6, 6, 7, 3, 12, 12, 10, 1, 9]);
});

it("refuses to write what it reads", async () => {
  const search = await createSearch(gpu, "u32", "lower");
  const scope = gpu.scope();
  const { buffer } = scope.allocate("search test", 64, usage);
  const [view, other] = [0, 8].map((offset) => ({ buffer, offset, length: 8 }));
  expect(() => search.record(recorder, { sorted: view, needles: view, output: other })).toThrow("also reads");
  expect(() =>
    search.record(recorder, { sorted: { ...view, length: 17 }, needles: view, output: other }),
  ).toThrow("17 elements");
  scope.release();
});
