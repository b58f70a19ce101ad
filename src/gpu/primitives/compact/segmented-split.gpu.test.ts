import fc from "fast-check";
import { expect, it } from "vitest";
import { Recorder } from "../../compute/recorder.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createSegmentedSplit, type SegmentedSplit } from "./segmented-split.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const strategies = [
  { subgroups: true, scan: "chained" },
  { subgroups: false, scan: "reduce-then-scan" },
] as const;
const tile = 2048;

type Words = Uint32Array<ArrayBuffer>;

/** Splits elements that tell where they come from, and checks all of them and the poison around them. */
async function check(
  split: SegmentedSplit,
  [flags, segments, isHeads]: readonly [flags: Words, segments: Words, isHeads: boolean],
  { words = 1, offset = 0, count }: { words?: number; offset?: number; count?: number } = {},
) {
  const n = flags.length;
  const scope = gpu.scope();
  const place = (data: Words, words = 1) => {
    const pooled = scope.allocate("split test", (offset + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(offset + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length / words } };
  };
  const input = Uint32Array.from({ length: n * words }, (_, k) => k);
  const output = place(new Uint32Array(n * words).fill(poison), words);
  const counter = count === undefined ? undefined : place(Uint32Array.of(count)).view;
  split.record(recorder, {
    input: place(input, words).view,
    flags: place(flags).view,
    segments: place(segments).view,
    output: output.view,
    count: counter && { buffer: counter.buffer, offset, max: n },
  });
  recorder.submit();
  const got = await readU32(gpu, output.pooled);
  scope.release();

  const expected = new Uint32Array(got.length).fill(poison);
  let at = offset;
  const last = count ?? n;
  for (let start = 0, end = 0; start < last; start = end) {
    end = start + 1;
    while (end < last && (isHeads ? segments[end] === 0 : segments[end] === segments[end - 1])) end++;
    for (const one of [false, true]) {
      for (let i = start; i < end; i++) {
        if ((flags[i] !== 0) !== one) continue;
        for (let w = 0; w < words; w++) expected[at++] = i * words + w;
      }
    }
  }
  const wrong = got.findIndex((word, k) => word !== expected[k]);
  expect([wrong, got[wrong], expected[wrong]]).toEqual([-1, undefined, undefined]);
}

const noise = (n: number, seed: number) =>
  Uint32Array.from({ length: n }, (_, i) => Math.imul((i + 1) ^ seed, 0x9e3779b1) >>> 8);

for (const strategy of strategies) {
  it(`splits segments of any length: ${strategy.scan}, subgroups ${strategy.subgroups}`, async () => {
    const byHeads = await createSegmentedSplit(gpu, { words: 1, segments: "heads" }, strategy);
    for (const [n, mean, offset, count] of [
      [0, 1, 0, undefined],
      [1, 1, 3, undefined],
      [tile - 1, 5, 0, undefined],
      [tile, 300, 1, undefined],
      [tile + 1, 1, 0, undefined],
      [9 * tile + 77, 64, 5, undefined],
      [9 * tile + 77, 3000, 0, undefined],
      [9 * tile, 1e9, 64, undefined],
      [9 * tile, 700, 0, 6 * tile + 9],
      [9 * tile, 1e9, 0, tile],
      [9 * tile, 50, 0, 0],
    ] as const) {
      const heads = noise(n, 1).map((x) => Number(x % mean === 0));
      const flags = noise(n, 2).map((x) => x & 6);
      await check(byHeads, [flags, heads, true], { offset, count });
    }
    const n = 5 * tile + 3;
    for (const flag of [0, 1]) {
      const flags = new Uint32Array(n).fill(flag);
      await check(byHeads, [flags, noise(n, 1).map((x) => Number(x % 999 === 0)), true]);
    }
  });

  it(`finds segments by keys, and moves several words: ${strategy.scan}, subgroups ${strategy.subgroups}`, async () => {
    const byKeys = await createSegmentedSplit(gpu, { words: 3, segments: "u32" }, strategy);
    for (const [n, mean, offset] of [
      [tile, 10, 0],
      [7 * tile + 5, 1500, 7],
    ]) {
      let key = 0;
      const keys = noise(n, 3).map((x) => (x % mean === 0 ? ++key % 3 : key % 3));
      await check(byKeys, [noise(n, 4).map((x) => x & 1), keys, false], { words: 3, offset });
    }
  });
}

it("splits any segments", async () => {
  const splits: SegmentedSplit[] = [];
  for (const strategy of strategies) {
    splits.push(await createSegmentedSplit(gpu, { words: 1, segments: "heads" }, strategy));
  }
  const bits = fc.array(fc.tuple(fc.nat(4000), fc.boolean()), { minLength: 1, maxLength: 30 }).map((runs) => {
    const heads = runs.flatMap(([length]) => [1, ...new Array<number>(length).fill(0)]);
    const flags = runs.flatMap(([length, flag]) => new Array<number>(length + 1).fill(Number(flag)));
    return [Uint32Array.from(flags), Uint32Array.from(heads), true] as const;
  });
  await fc.assert(
    fc.asyncProperty(bits, fc.nat(66), async (data, offset) => {
      for (const split of splits) await check(split, data, { offset });
    }),
    { numRuns: 8 },
  );
});

it("refuses to write what it reads", async () => {
  const split = await createSegmentedSplit(gpu, { words: 1, segments: "heads" }, strategies[1]);
  const scope = gpu.scope();
  const view = () => ({ buffer: scope.allocate("split test", 64, usage).buffer, offset: 0, length: 16 });
  const [input, flags, segments, output] = [view(), view(), view(), view()];
  const operands = { input, flags, segments, output };
  expect(() => split.record(recorder, { ...operands, output: flags })).toThrow("also reads");
  expect(() => split.record(recorder, { ...operands, segments: { ...segments, offset: 1 } })).toThrow(
    "16 elements",
  );
  scope.release();
});
