import fc from "fast-check";
import { expect, it } from "vitest";
import { Recorder } from "../../compute/recorder.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { type CountingSearch, createCountingSearch } from "./counting-search.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const tile = 2048;
const searches = [
  await createCountingSearch(gpu, { subgroups: true, scan: "chained" }),
  await createCountingSearch(gpu, { subgroups: false, scan: "reduce-then-scan" }),
];

type Words = Uint32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  /** Counts on the GPU, of needles and of sorted elements. */
  readonly counts?: readonly [needles: number, sorted: number];
}

/** Checks all results, and that what lies around them, and what a count leaves out, stays poisoned. */
async function check(search: CountingSearch, sorted: Words, needles: number, options: Options = {}) {
  const { offset = 0, counts } = options;
  const scope = gpu.scope();
  const place = (data: Words) => {
    const pooled = scope.allocate("counting search test", (offset + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(offset + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length } };
  };
  const output = place(new Uint32Array(needles).fill(poison));
  const counter = counts && place(Uint32Array.from(counts));
  search.record(recorder, {
    sorted: place(sorted).view,
    output: output.view,
    count: counter && { buffer: counter.view.buffer, offset, max: needles },
    sortedCount: counter && { buffer: counter.view.buffer, offset: offset + 1, max: sorted.length },
  });
  recorder.submit();
  const words = await readU32(gpu, output.pooled);
  scope.release();
  const expected = new Uint32Array(words.length).fill(poison);
  const [count, elements] = counts ?? [needles, sorted.length];
  for (let k = 0, at = 0; k < count; k++) {
    while (at < elements && sorted[at] <= k) at++;
    expected[offset + k] = at;
  }
  const wrong = words.findIndex((word, k) => word !== expected[k]);
  expect([wrong, words[wrong], expected[wrong]]).toEqual([-1, undefined, undefined]);
}

/** Ascending elements, with `step` between neighbours on average. */
const climb = (n: number, step: number) => {
  let value = 0;
  return Uint32Array.from({ length: n }, (_, i) => {
    value += step * 2 * ((Math.imul(i + 1, 0x9e3779b1) >>> 0) / 2 ** 32);
    return value;
  });
};

it("counts elements up to each needle, at any size, density and offset", async () => {
  for (const search of searches) {
    for (const [n, step, needles, offset] of [
      [0, 1, 5, 0],
      [0, 1, 4, 3],
      [1, 1, 1, 1],
      [3, 2, 100, 1],
      [700, 5, tile - 1, 0],
      [700, 5, tile, 2],
      [700, 5, tile + 1, 64],
      [5000, 5, 20_000, 0],
      [5000, 5, 26_003, 7],
      [20_000, 0.2, 4000, 3],
      [90_000, 1, 90_000, 0],
    ]) {
      await check(search, climb(n, step), needles, { offset });
    }
  }
});

it("shares out elements that crowd at few needles", async () => {
  const n = 120_000;
  for (const search of searches) {
    await check(search, new Uint32Array(n).fill(7), 10_000);
    await check(search, new Uint32Array(n).fill(0), 100, { offset: 5 });
    await check(search, climb(n, 0.01), 9000, { offset: 3 });
    await check(search, new Uint32Array(n).fill(9_999), 10_000);
    await check(search, new Uint32Array(n).fill(10_000), 10_000);
  }
});

it("passes over wide gaps and elements that no needle reaches", async () => {
  const far = Uint32Array.from([0, 1, 1, 40_000, 40_000, 99_999, 100_000, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 1]);
  for (const search of searches) {
    await check(search, far, 100_000);
    await check(search, far, 40_001, { offset: 1 });
    await check(search, new Uint32Array(1000).fill(2 ** 32 - 1), 5000);
  }
});

it("reads both lengths on the GPU", async () => {
  for (const counts of [
    [0, 9000],
    [10_000, 0],
    [9999, 8191],
    [tile, 1],
  ] as const) {
    for (const search of searches) await check(search, climb(9000, 1.1), 10_000, { counts, offset: 4 });
  }
});

it("agrees with a walk over any ascending elements", async () => {
  const elements = fc
    .tuple(fc.array(fc.nat(6000), { maxLength: 300 }), fc.integer({ min: 1, max: 60 }))
    .map(([distinct, times]) =>
      Uint32Array.from(distinct.flatMap((x) => Array<number>(1 + (x % times)).fill(x))).sort(),
    );
  await fc.assert(
    fc.asyncProperty(elements, fc.nat(7000), fc.nat(66), async (sorted, needles, offset) => {
      for (const search of searches) await check(search, sorted, needles, { offset });
    }),
    { numRuns: 15 },
  );
});

it("refuses to write what it reads", () => {
  const scope = gpu.scope();
  const { buffer } = scope.allocate("counting search test", 64, usage);
  const [sorted, output] = [0, 8].map((offset) => ({ buffer, offset, length: 8 }));
  expect(() => searches[0].record(recorder, { sorted, output })).toThrow("also reads");
  expect(() => searches[0].record(recorder, { sorted: { ...sorted, length: 17 }, output })).toThrow("17 ele");
  scope.release();
});
