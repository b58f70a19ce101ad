import { expect, it } from "vitest";
import type { BinaryOperator } from "../../../core/primitives/functions.ts";
import { add, argmin, first, last, max, noPosition } from "../../../core/primitives/operators.ts";
import { expectedOf } from "../../../core/primitives/testing/expected.ts";
import { affine } from "../../../core/primitives/testing/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { GpuContext } from "../../device/context.ts";
import { readBytes } from "../../device/transfer.ts";
import { bareGpu, testGpu } from "../../testing/context.ts";
import { laidOutForHardware } from "../../testing/hardware-layout.ts";
import { isSweep } from "../../testing/sweep.ts";
import { type PrimitiveStrategy, portableStrategy } from "../base/strategy.ts";
import { chooseStrategy } from "../choose-strategy.ts";
import { tileShape, tileSize } from "./options.ts";
import { createScan, type ScanKernel, type ScanOperands } from "./scan.ts";

const gpu = await testGpu();
const bare = await bareGpu();
const hardware = laidOutForHardware(gpu);
const bareHardware = laidOutForHardware(bare);
const recorders = new Map(
  [gpu, bare, hardware, bareHardware].map((context) => [context, new Recorder(context)]),
);
const poison = 0xdeadbeef;

/** Elements of the device's tiles. */
const tile = tileSize(
  tileShape({ type: "u32", operator: add }, true, {
    isVector: false,
    subgroups: true,
    isSoftware: gpu.adapter.isSoftware,
  }),
);

const strategies: PrimitiveStrategy[] = [
  { subgroups: true, scan: "chained" },
  { subgroups: true, scan: "reduce-then-scan" },
  { subgroups: false, scan: "reduce-then-scan" },
];
const nameOf = ({ subgroups, scan }: PrimitiveStrategy) => `${scan}${subgroups ? "" : ", no subgroups"}`;

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed;
};

/** Of elements that are combined. */
type CombiningKernel = ScanKernel & { readonly operator: BinaryOperator };

interface Case extends Omit<ScanOperands, "input" | "output" | "segments" | "count"> {
  readonly data: Uint32Array<ArrayBuffer>;
  readonly count?: number;
  readonly keys?: Uint32Array<ArrayBuffer>;
  readonly offset?: number;
  /** A count on the GPU. */
  readonly gpuLength?: number;
}

const arrayOf = (type: ScalarType, buffer: ArrayBuffer) =>
  type === "u32"
    ? new Uint32Array(buffer)
    : type === "i32"
      ? new Int32Array(buffer)
      : new Float32Array(buffer);

/** The scan's words with 8 on either side, which have to stay poisoned. */
async function run(
  kernel: ScanKernel,
  strategy: PrimitiveStrategy,
  { data, keys, offset = 8, count, gpuLength, init, firstPosition }: Case,
  { silent = 0, context = strategy.subgroups ? gpu : bare }: { silent?: number; context?: GpuContext } = {},
) {
  const to = recorders.get(context)!;
  const scan = await createScan(context, kernel, strategy, silent);
  const scope = context.scope();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const place = (words: Uint32Array<ArrayBuffer>) => {
    const all = new Uint32Array(offset + words.length + 8).fill(poison);
    all.set(words, offset);
    const pooled = scope.allocate("scan test", all.byteLength, usage);
    context.device.queue.writeBuffer(pooled.buffer, 0, all);
    return { pooled, view: { buffer: pooled.buffer, offset, length: words.length } };
  };
  const input = place(data).view;
  const segments = keys && place(keys).view;
  const { pooled, view } = place(new Uint32Array(data.length).fill(poison));
  const counted = gpuLength !== undefined && place(Uint32Array.of(gpuLength)).view;
  scan.record(to, {
    input: kernel.countsHeads ? undefined : input,
    segments,
    output: view,
    count: counted ? { ...counted, max: data.length } : count,
    init,
    firstPosition,
  });
  to.submit();
  const all = new Uint32Array(await readBytes(context, pooled));
  const n = Math.min(gpuLength ?? count ?? data.length, data.length);
  scope.release();
  expect(all.subarray(0, offset).every((word) => word === poison)).toBe(true);
  expect(all.subarray(offset + n).every((word) => word === poison)).toBe(true);
  return arrayOf(kernel.type, all.slice(offset, offset + n).buffer);
}

function due(kernel: CombiningKernel, { data, keys, init, count }: Case) {
  const { type, operator, exclusive, reverse, segments } = kernel;
  const n = count ?? data.length;
  const x = arrayOf(type, data.slice(0, n).buffer);
  const y = arrayOf(type, new ArrayBuffer(n * 4));
  const join = expectedOf(operator, type);
  const start = init ?? operator.identity(type);
  let sum: number | undefined;
  for (let i = 0; i < n; i++) {
    const p = reverse ? n - 1 - i : i;
    const back = reverse ? p + 1 : p - 1;
    if (
      keys &&
      (i === 0 || (segments === "heads" ? keys[reverse ? back : p] !== 0 : keys[p] !== keys[back]))
    ) {
      sum = undefined;
    }
    const next = sum === undefined ? x[p] : join(sum, x[p]);
    y[p] = exclusive ? (sum === undefined ? start : init === undefined ? sum : join(init, sum)) : next;
    sum = arrayOf(type, Uint32Array.of(0).buffer).fill(next)[0];
  }
  return y;
}

const words = (n: number, mask = 0xffffffff) =>
  Uint32Array.from({ length: n }, () => (random() >>> 3) & mask);

const sizes = [0, 1, 3, 10, 31, 128, 1337, 4095, 4096, 4097, 8192, 12288, 40001];

/** What reduce-then-scan with subgroups has of its own is in the others. */
const own = isSweep ? strategies : strategies.filter((_, i) => i !== 1);

for (const strategy of own) {
  it(`scans in order, every size and offset: ${nameOf(strategy)}`, async () => {
    for (const [k, n] of sizes.entries()) {
      const one = { data: words(n), offset: [8, 0, 65, 64][k % 4] };
      for (const exclusive of [false, true]) {
        const kernel: CombiningKernel = { type: "u32", operator: affine, exclusive };
        expect(await run(kernel, strategy, one), `${n} ${exclusive}`).toEqual(due(kernel, one));
      }
    }
  });

  it(`scans in reverse, with init, of a count, and first and last: ${nameOf(strategy)}`, async () => {
    for (const n of [9000, 8192]) {
      const one = { data: words(n), init: 77 };
      for (const kernel of [
        { type: "u32", operator: affine, exclusive: true },
        { type: "u32", operator: affine, reverse: true },
        { type: "u32", operator: affine, exclusive: true, reverse: true },
        { type: "i32", operator: last, exclusive: true },
        { type: "u32", operator: first },
        { type: "i32", operator: max },
      ] satisfies CombiningKernel[]) {
        expect(await run(kernel, strategy, one)).toEqual(due(kernel, one));
        const part = { ...one, count: 5003 };
        expect(await run(kernel, strategy, part)).toEqual(due(kernel, part));
      }
    }
  });

  it(`scans segments by keys and by heads: ${nameOf(strategy)}`, async () => {
    for (const n of [4097, 9000]) {
      for (const spread of [1, 2, 1e9]) {
        let key = 0;
        const keys = Uint32Array.from({ length: n }, () => (random() % spread === 0 ? ++key : key));
        const flags = Uint32Array.from({ length: n }, () => (random() % spread === 0 ? 5 : 0));
        const reverse = n === 9000;
        const data = words(n);
        for (const segments of ["u32", "heads"] as const) {
          const exclusive = reverse === (segments === "heads");
          const kernel: CombiningKernel = { type: "u32", operator: affine, segments, exclusive, reverse };
          const one = { data, keys: segments === "heads" ? flags : keys, init: spread === 1 ? 9 : undefined };
          expect(await run(kernel, strategy, one), `${n} ${spread} ${segments}`).toEqual(due(kernel, one));
        }
      }
    }
  });

  it(`sums f32 within its bound: ${nameOf(strategy)}`, async () => {
    const n = 50000;
    const values = Float32Array.from({ length: n }, () => random() / 2 ** 31 - 1);
    const got = await run({ type: "f32", operator: add }, strategy, { data: new Uint32Array(values.buffer) });
    let [sum, size] = [0, 0];
    const bad = [...values].findIndex((x, i) => {
      sum += x;
      size += Math.abs(x);
      return !(Math.abs(got[i] - sum) <= (45 + n / 4096) * 2 ** -24 * size);
    });
    expect(bad).toBe(-1);
  });
}

it.each(
  isSweep
    ? [
        [1, 24.5],
        [2, 24.5],
        [3, 24.5],
        [8, 48.7],
        [64, 146.5],
        [512, 540.3],
      ]
    : [
        [2, 24.5],
        [64, 146.5],
      ],
)("passes tiles that never post, one in %d", async (silent, tiles) => {
  const n = Math.floor(tiles * tile);
  const one = { data: words(n) };
  const kernel: CombiningKernel = { type: "u32", operator: affine };
  const [got, expected] = [await run(kernel, strategies[0], one, { silent }), due(kernel, one)];
  expect(got.findIndex((x, i) => x !== expected[i])).toBe(-1);
});

it.each(
  isSweep
    ? [
        [2, 36.6],
        [8, 36.6],
        [512, 540.3],
      ]
    : [[8, 36.6]],
)("passes silent tiles of segments, one in %d", async (silent, tiles) => {
  const n = Math.floor(tiles * tile);
  const keys = Uint32Array.from({ length: n }, (_, i) => Math.floor(i / 10_000));
  const one = { data: words(n), keys };
  const kernel: CombiningKernel = { type: "u32", operator: affine, segments: "u32" };
  const [got, expected] = [await run(kernel, strategies[0], one, { silent }), due(kernel, one)];
  expect(got.findIndex((x, i) => x !== expected[i])).toBe(-1);
});

/** Positions of the least f32 so far in segments of 10,000, exclusive; every third word is NaN. */
it.each([
  ["posted by all", strategies[0], 0, 300_001],
  ["not posted by one tile in 8", strategies[0], 8, 150_003],
  ...(isSweep
    ? ([
        ["not posted by one tile in 2", strategies[0], 2, 150_000],
        ["of tiles", strategies[1], 0, 150_000],
        ["of tiles, without subgroups", strategies[2], 0, 150_000],
      ] as const)
    : []),
] as const)("locates after states %s", async (_, strategy, silent, n) => {
  const values = Float32Array.from({ length: n }, (_, i) =>
    i % 3 === 1 ? Number.NaN : (random() >>> 20) - i,
  );
  const keys = Uint32Array.from({ length: n }, (_, i) => Math.floor(i / 10_000));
  const one = { data: new Uint32Array(values.buffer) };
  for (const segments of [undefined, "u32"] as const) {
    const kernel: ScanKernel = { type: "f32", operator: argmin, segments, exclusive: segments !== undefined };
    const got = await run(kernel, strategy, { ...one, keys: segments && keys, firstPosition: 5 }, { silent });
    let best = noPosition;
    const wrong = Array.from(new Uint32Array(got.buffer)).findIndex((position, i) => {
      if (segments && i % 10_000 === 0) best = noPosition;
      const before = best;
      if (values[i] < (values[best] ?? Number.POSITIVE_INFINITY)) best = i;
      const due = segments ? before : best;
      return position !== (due === noPosition ? due : due + 5);
    });
    expect(wrong).toBe(-1);
  }
});

it("scans with more tiles than a block of the spine has", async () => {
  const one = { data: words(tile * 1025 + 5) };
  const kernel: CombiningKernel = { type: "u32", operator: affine };
  const [got, expected] = [await run(kernel, strategies[1], one), due(kernel, one)];
  expect(got.findIndex((x, i) => x !== expected[i])).toBe(-1);
});

for (const strategy of strategies) {
  it(`reads its length on the GPU: ${nameOf(strategy)}`, async () => {
    const data = words(20_000);
    const kernel: CombiningKernel = { type: "u32", operator: affine, exclusive: true };
    for (const length of [0, 1, 5, 4096, 4097, 19_999, 20_000]) {
      expect(await run(kernel, strategy, { data, gpuLength: length }), `${length}`).toEqual(
        due(kernel, { data, count: length }),
      );
    }
  });
}

it("takes no more than its bound from a length on the GPU", async () => {
  const data = words(9000);
  const kernel: CombiningKernel = { type: "u32", operator: affine };
  expect(await run(kernel, strategies[0], { data, gpuLength: 0xffffffff })).toEqual(due(kernel, { data }));
});

it.each(isSweep ? strategies : [strategies[0]])(
  "scans in the larger tiles of hardware: $scan, subgroups $subgroups",
  async (strategy) => {
    const context = strategy.subgroups ? hardware : bareHardware;
    for (const n of [4096 * 3, 10_003]) {
      const keys = Uint32Array.from({ length: n }, (_, i) => Math.floor(i / 1500));
      for (const kernel of [
        { type: "u32", operator: affine, exclusive: true },
        { type: "u32", operator: affine, segments: "u32", reverse: n % 2 === 1 },
      ] satisfies CombiningKernel[]) {
        const one = { data: words(n), keys: "segments" in kernel ? keys : undefined };
        expect(await run(kernel, strategy, one, { context })).toEqual(due(kernel, one));
      }
    }
  },
);

it.runIf(isSweep)("passes tiles of hardware that never post", async () => {
  const one = { data: words(100_000) };
  const kernel: CombiningKernel = { type: "u32", operator: affine };
  const got = await run(kernel, strategies[0], one, { silent: 3, context: hardware });
  expect(got).toEqual(due(kernel, one));
});

it("has a strategy for a device without subgroups", async () => {
  expect(bare.device.features.has("subgroups")).toBe(false);
  expect(await chooseStrategy(bare)).toEqual(portableStrategy);
});

it("refuses to scan in place", async () => {
  const scan = await createScan(gpu, { type: "u32", operator: add }, strategies[0]);
  const recorder = recorders.get(gpu)!;
  const buffer = recorder.workspace("in place", 64);
  const view = { buffer, offset: 0, length: 4 };
  expect(() => scan.record(recorder, { input: view, output: view })).toThrow("output of its own");
});
