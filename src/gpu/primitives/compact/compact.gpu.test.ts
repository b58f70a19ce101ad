import { expect, it } from "vitest";
import type { Predicate } from "../../../core/primitives/functions.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { laidOutForHardware } from "../../testing/hardware-layout.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { type Compact, createCompact, createPartition } from "./compact.ts";
import { chainedShape, plainShape, tileSize } from "./options.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const strategies = [
  { subgroups: true, scan: "chained" },
  { subgroups: true, scan: "reduce-then-scan" },
  { subgroups: false, scan: "reduce-then-scan" },
] as const;
const chainedTile = tileSize(chainedShape(gpu));
const tileOf = ({ scan, subgroups }: PrimitiveStrategy) =>
  scan === "chained" ? chainedTile : tileSize(plainShape(gpu, subgroups));

type Words = Uint32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  /** A count on the GPU. */
  readonly count?: number;
  readonly words?: number;
  readonly stencil?: Words;
  /** Elements that the output has room for. */
  readonly room?: number;
}

/** The output, up to the poison that has to follow, and the number of kept elements. */
async function run(compact: Compact, input: Words, options: Options = {}) {
  const { offset = 0, count, words = 1, stencil, room = input.length / words } = options;
  const scope = gpu.scope();
  const place = (data: Words, words = 1) => {
    const pooled = scope.allocate("compact test", (offset + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(offset + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length / words } };
  };
  const output = place(new Uint32Array(room * words).fill(poison), words);
  const kept = place(Uint32Array.of(poison));
  const counter = count === undefined ? undefined : place(Uint32Array.of(count)).view;
  compact.record(recorder, {
    input: place(input, words).view,
    stencil: stencil && place(stencil).view,
    output: output.view,
    kept: kept.view,
    count: counter && { buffer: counter.buffer, offset, max: input.length / words },
  });
  recorder.submit();
  const [out, total] = await Promise.all([output, kept].map(({ pooled }) => readU32(gpu, pooled)));
  scope.release();
  expect(out.subarray(0, offset).every((word) => word === poison)).toBe(true);
  const end = out.indexOf(poison, offset);
  expect(out.subarray(end).every((word) => word === poison)).toBe(true);
  return [out.subarray(offset, end), total[offset]] as const;
}

const noise = (n: number) => Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 1);
const isOdd: Predicate = { name: "odd", text: "(x & 1u) == 1u" };

function expectSame(got: Words, expected: Words) {
  expect(got.length).toBe(expected.length);
  const wrong = got.findIndex((word, k) => word !== expected[k]);
  expect([wrong, got[wrong]]).toEqual([-1, undefined]);
}

for (const strategy of strategies) {
  const tile = tileOf(strategy);
  const title = `${strategy.scan}, subgroups ${strategy.subgroups}`;

  it(`keeps what a predicate selects, in order: ${title}`, async () => {
    const compact = await createCompact(
      gpu,
      { type: "u32", words: 1, selection: { where: isOdd }, keeps: "selected" },
      strategy,
    );
    for (const [n, offset, count] of [
      [0, 0, undefined],
      [1, 1, undefined],
      [tile - 1, 0, undefined],
      [tile, 0, undefined],
      [tile + 1, 3, undefined],
      [tile + 4, 64, undefined],
      [9 * tile + 12, 4, 8 * tile + 1],
      [2 * tile, 0, 0],
      [70 * tile, 0, undefined],
    ] as const) {
      const input = noise(n);
      const expected = input.subarray(0, count).filter((x) => x % 2 === 1);
      const [got, kept] = await run(compact, input, { offset, count });
      expect(kept, `${n}`).toBe(expected.length);
      expectSame(got, expected);
    }
    for (const odd of [0, 1]) {
      const input = noise(3 * tile).map((x) => (x & ~1) | odd);
      const [got, kept] = await run(compact, input);
      expect(kept).toBe(odd * input.length);
      expectSame(got, odd ? input : new Uint32Array());
    }
  });

  it(`keeps or removes elements of several words by a stencil: ${title}`, async () => {
    for (const [words, keeps] of [
      [3, "rejected"],
      [3, "selected"],
    ] as const) {
      const compact = await createCompact(gpu, { type: "u32", words, selection: "stencil", keeps }, strategy);
      for (const [n, offset] of [
        [tile + 8, 0],
        [5 * tile + 3, 5],
      ]) {
        const input = noise(n * words);
        const stencil = noise(n).map((x) => (x >> 7) & 3);
        const expected = input.filter(
          (_, k) => (stencil[Math.floor(k / words)] !== 0) === (keeps === "selected"),
        );
        const [got, kept] = await run(compact, input, { offset, words, stencil });
        expect(kept).toBe(expected.length / words);
        expectSame(got, expected);
      }
    }
  });

  it(`puts selected elements before the others, both in order: ${title}`, async () => {
    const odd = await createPartition(gpu, { type: "u32", words: 1, selection: { where: isOdd } }, strategy);
    const flagged = await createPartition(gpu, { type: "u32", words: 2, selection: "stencil" }, strategy);
    const tile = tileSize(plainShape(gpu, strategy.subgroups));
    for (const [n, offset, count] of [
      [0, 0, undefined],
      [7, 3, undefined],
      [tile, 0, undefined],
      [12 * tile + 20, 4, 11 * tile + 17],
      [12 * tile + 21, 1, undefined],
    ] as const) {
      const input = noise(n);
      const counted = input.subarray(0, count);
      const expected = [counted.filter((x) => x % 2 === 1), counted.filter((x) => x % 2 === 0)];
      const [got, kept] = await run(odd, input, { offset, count });
      expect(kept).toBe(expected[0].length);
      expectSame(got, Uint32Array.of(...expected[0], ...expected[1]));

      const pairs = Uint32Array.from({ length: 2 * n }, (_, k) => 2 * input[k >> 1] + (k & 1));
      const [flags, spread] = [input.map((x) => x & 1), (x: number) => [2 * x, 2 * x + 1]];
      const [gotPairs, keptPairs] = await run(flagged, pairs, { offset, count, words: 2, stencil: flags });
      expect(keptPairs).toBe(expected[0].length);
      expectSame(
        gotPairs,
        Uint32Array.from([...expected[0], ...expected[1]].flatMap(spread), (x) => x >>> 0),
      );
    }
  });
}

for (const silent of [512, 64, 7, 2, 1]) {
  it(`does without the counts of one in ${silent} tiles`, async () => {
    const kernel = { type: "u32", words: 1, selection: { where: isOdd }, keeps: "selected" } as const;
    const compact = await createCompact(gpu, kernel, strategies[0], silent);
    // The tiles that post nothing are the last ones of so many: there are two of them at least, and tiles after them.
    const input = noise(Math.max(40, 2 * silent + 10) * chainedTile - 5);
    const [got, kept] = await run(compact, input, { offset: 1 });
    const expected = input.filter((x) => x % 2 === 1);
    expect(kept).toBe(expected.length);
    expectSame(got, expected);
  });
}

it.each(strategies)(
  "compacts in the larger tiles of hardware: $scan, subgroups $subgroups",
  async (strategy) => {
    const hardware = laidOutForHardware(gpu);
    const tile = tileSize(
      strategy.scan === "chained" ? chainedShape(hardware) : plainShape(hardware, strategy.subgroups),
    );
    const kernel = { type: "u32", words: 1, selection: { where: isOdd }, keeps: "selected" } as const;
    const compact = await createCompact(hardware, kernel, strategy, strategy.scan === "chained" ? 3 : 0);
    for (const [n, offset] of [
      [4 * tile, 0],
      [5 * tile + 3, 5],
    ]) {
      const input = noise(n);
      expectSame(
        (await run(compact, input, { offset }))[0],
        input.filter((x) => x % 2 === 1),
      );
    }
  },
);

it("counts, but leaves out, what the output has no room for", async () => {
  const input = noise(2 * chainedTile);
  const kernel = { type: "u32", words: 1, selection: { where: isOdd }, keeps: "selected" } as const;
  const expected = input.filter((x) => x % 2 === 1);
  for (const strategy of strategies) {
    const [got, kept] = await run(await createCompact(gpu, kernel, strategy), input, { room: 1001 });
    expect(kept).toBe(expected.length);
    expectSame(got, expected.slice(0, 1001));
  }
});

it("repeats in one submission, larger and smaller, without allocating anew", async () => {
  const kernel = { type: "u32", words: 1, selection: { where: isOdd }, keeps: "rejected" } as const;
  for (const strategy of strategies) {
    const compact = await createCompact(gpu, kernel, strategy);
    let size = 0;
    for (const [round, n] of [60 * chainedTile, 3, 60 * chainedTile, 5000].entries()) {
      const [got] = await run(compact, noise(n));
      expectSame(
        got,
        noise(n).filter((x) => x % 2 === 0),
      );
      if (round === 0) size = recorder.workspaceSize;
      expect(recorder.workspaceSize).toBe(size);
    }
  }
});

it("refuses what cannot be done before it records anything", async () => {
  await expect(
    createCompact(
      gpu,
      { type: "u32", words: 2, selection: { where: isOdd }, keeps: "selected" },
      strategies[2],
    ),
  ).rejects.toThrow("“odd”");
  const compact = await createCompact(
    gpu,
    { type: "u32", words: 3, selection: "stencil", keeps: "selected" },
    strategies[2],
  );
  const scope = gpu.scope();
  const view = () => ({ buffer: scope.allocate("compact test", 64, usage).buffer, offset: 0, length: 5 });
  const [input, stencil, output, kept] = [view(), view(), view(), view()];
  const record = (changed: object) => () =>
    compact.record(recorder, { input, stencil, output, kept, ...changed });
  expect(record({ stencil: undefined })).toThrow("given none");
  expect(record({ output: input })).toThrow("also reads");
  expect(record({ kept: output })).toThrow("also reads");
  expect(record({ input: { ...input, length: 17 } })).toThrow("17 elements");
  scope.release();
});
