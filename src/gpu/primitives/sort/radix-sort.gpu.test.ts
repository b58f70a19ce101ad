import { expect, it } from "vitest";
import type { SortOptions } from "../../../core/primitives/primitives.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import { readBytes } from "../../device/transfer.ts";
import { bareGpu, testGpu } from "../../testing/context.ts";
import { laidOutForHardware } from "../../testing/hardware-layout.ts";
import { isSweep } from "../../testing/sweep.ts";
import { createRadixSort } from "./radix-sort.ts";
import { type KeysForm, keysForm, keysShape } from "./shape.ts";

const gpu = await testGpu();
const bare = await bareGpu();
const recorders = { full: new Recorder(gpu), bare: new Recorder(bare) };
const poison = 0xdeadbeef;
const margin = 8;

/** Tiles that are small enough for every device. */
const small: KeysForm = { threads: 256, items: 7, window: 8 };
const large: KeysForm = { ...small, items: 21 };
const forms: Readonly<Record<string, KeysForm | undefined>> = {
  "any subgroups": undefined,
  "subgroups of one size": small,
  "lanes out of order": { ...small, swapsLanes: true },
};

const strategies = [
  ...Object.entries(forms).map(
    ([name, keys]) =>
      ({ name: `onesweep, ${name}`, subgroups: true, scan: "chained", overrides: { keys } }) as const,
  ),
  { name: "no subgroups", subgroups: false, scan: "reduce-then-scan", overrides: {} },
  // What it has of its own is in the others: subgroups in the first, reduce-then-scan in the last.
  ...(isSweep
    ? [{ name: "reduce-then-scan", subgroups: true, scan: "reduce-then-scan", overrides: {} } as const]
    : []),
] as const;

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return (seed ^ (seed >>> 15) ^ (seed << 13)) >>> 0;
};
const randomWords = (n: number) => Uint32Array.from({ length: n }, random);

const floats = new Float32Array(1);
const floatBits = new Uint32Array(floats.buffer);

/** A key whose order as a number is the sort's: f32 by value, then by sign; NaN last. */
function ordered(type: ScalarType, word: number): number {
  if (type === "u32") return word;
  if (type === "i32") return (word | 0) + 2 ** 31;
  floatBits[0] = word;
  if (Number.isNaN(floats[0])) return 2 ** 32 - 1;
  return word >= 2 ** 31 ? 2 ** 32 - 1 - word : word + 2 ** 31;
}

/** The permutation that a stable sort on the host finds. */
function orderOf(type: ScalarType, keys: Uint32Array, { descending, bits = [0, 32] }: SortOptions): number[] {
  const sign = descending ? -1 : 1;
  const window = (word: number) => Math.floor((ordered(type, word) % 2 ** bits[1]) / 2 ** bits[0]);
  const windows = Array.from(keys, window);
  return Array.from(keys, (_, i) => i).sort((a, b) => sign * (windows[a] - windows[b]) || a - b);
}

const canonical = (type: ScalarType, word: number) =>
  type === "f32" && (word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word;

/** Runs `record` on views between margins, and gives each output's words; the margins must stay poisoned. */
async function run(
  recorder: Recorder,
  inputs: readonly Uint32Array[],
  outputWords: readonly number[],
  record: (inputs: View[], outputs: View[]) => void,
  words = 1,
): Promise<Uint32Array[]> {
  const { gpu } = recorder;
  const scope = gpu.scope();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  try {
    const make = (length: number, data?: Uint32Array) => {
      const all = new Uint32Array(length + 2 * margin).fill(poison);
      if (data) all.set(data, margin);
      const memory = scope.allocate("sort test", all.byteLength, usage);
      gpu.device.queue.writeBuffer(memory.buffer, 0, all);
      return memory;
    };
    const from = inputs.map((data) => make(data.length, data));
    const to = outputWords.map((length) => make(length));
    const view = (memory: { buffer: GPUBuffer }, length: number): View => ({
      buffer: memory.buffer,
      offset: margin,
      length,
    });
    record(
      from.map((memory, k) => view(memory, inputs[k].length / (k === 1 ? words : 1))),
      to.map((memory, k) => view(memory, outputWords[k] / (k === 1 ? words : 1))),
    );
    recorder.submit();
    const read = async (memory: (typeof from)[number], length: number) => {
      const all = new Uint32Array(await readBytes(gpu, memory, 0, (length + 2 * margin) * 4));
      const outside = [...all.subarray(0, margin), ...all.subarray(margin + length)];
      expect(outside.every((word) => word === poison)).toBe(true);
      return all.slice(margin, margin + length);
    };
    for (const [k, memory] of from.entries()) {
      expect(await read(memory, inputs[k].length)).toEqual(inputs[k]);
    }
    return await Promise.all(to.map((memory, k) => read(memory, outputWords[k])));
  } finally {
    scope.release();
  }
}

const special = Uint32Array.of(
  ...[0, 0x80000000, 0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000, 1],
  ...[0x80000001, 0x7fffffff, 0xffffffff, 0x80000000, 0],
);

for (const strategy of strategies) {
  // A device without features is what those without subgroups are for.
  const [context, recorder] = strategy.subgroups ? [gpu, recorders.full] : [bare, recorders.bare];
  const sort = await createRadixSort(context, strategy, strategy.overrides);
  // A software adapter takes seconds for a sort whose threads exchange all by shared memory.
  const isBrief = !strategy.subgroups && !isSweep;

  /** Sorts with a payload of indices, which shows whether equal keys kept their order. */
  async function expectSorted(type: ScalarType, keys: Uint32Array, options: SortOptions = {}) {
    const n = keys.length;
    const values = Uint32Array.from(keys, (_, i) => i + 7);
    const [sorted, sortedValues] = await run(recorder, [keys, values], [n, n], (from, to) =>
      sort.recordPairs(recorder, {
        ...options,
        ...{ type, count: n, keys: from[0], values: from[1], sorted: to[0], sortedValues: to[1] },
      }),
    );
    const order = orderOf(type, keys, options);
    expect(sortedValues).toEqual(Uint32Array.from(order, (i) => i + 7));
    expect(sorted).toEqual(Uint32Array.from(order, (i) => canonical(type, keys[i])));
  }

  it(`is the form that was asked for (${strategy.name})`, () => {
    expect(sort.isOneSweep).toBe(strategy.scan === "chained");
  });

  it(`sorts every size about a tile's edges, growing and shrinking (${strategy.name})`, async () => {
    const sizes = isBrief
      ? [0, 1, 1024, 1025, 9000, 5]
      : [
          ...[0, 1, 2, 31, 33, 1023, 1024, 1025, 1535, 1536, 1537, 1791, 1792, 1793, 2303, 2304, 2305, 9000],
          ...[5, 4608],
        ];
    for (const n of sizes) {
      const keys = randomWords(n);
      const [sorted] = await run(recorder, [keys], [n], (from, to) =>
        sort.record(recorder, { type: "u32", count: n, keys: from[0], sorted: to[0] }),
      );
      expect(sorted).toEqual(keys.slice().sort());
    }
  });

  it(`sorts adverse distributions stably (${strategy.name})`, async () => {
    const n = 5000;
    const draws: ((i: number) => number)[] = [
      () => 42,
      (i) => i,
      (i) => n - i,
      () => (random() & random() & random()) >>> 0,
      () => random() % 3,
      (i) => (i % 256) << 24,
    ];
    for (const draw of isBrief ? draws.slice(3, 5) : draws)
      await expectSorted(
        "u32",
        Uint32Array.from({ length: n }, (_, i) => draw(i)),
      );
  });

  it(`orders every type's special values, up and down (${strategy.name})`, async () => {
    for (const others of isBrief ? [4500] : [500, 4500]) {
      const keys = Uint32Array.of(...special, ...randomWords(others), ...special);
      for (const type of ["u32", "i32", "f32"] as const) {
        for (const descending of [false, true]) await expectSorted(type, keys, { descending });
      }
    }
  });

  it(`sorts by a window of bits alone (${strategy.name})`, async () => {
    const [few, keys] = [700, 4700].map(randomWords);
    const windows = [
      [0, 0],
      [0, 1],
      [5, 13],
      [3, 21],
      [12, 32],
      [31, 32],
      [32, 32],
    ] as const;
    for (const bits of windows) {
      await expectSorted("i32", few, { bits, descending: true });
      if (isBrief) continue;
      await expectSorted("u32", keys, { bits });
      await expectSorted("i32", keys, { bits, descending: true });
    }
  });

  it(`carries values of 2 to 4 words (${strategy.name})`, async () => {
    const n = 3000;
    const keys = Uint32Array.from({ length: n }, () => random() % 100);
    const order = orderOf("u32", keys, {});
    for (const words of [2, 3, 4]) {
      const values = randomWords(n * words);
      const [, moved] = await run(
        recorder,
        [keys, values],
        [n, n * words],
        (from, to) =>
          sort.recordPairs(recorder, {
            ...{ type: "u32", count: n, words },
            ...{ keys: from[0], values: from[1], sorted: to[0], sortedValues: to[1] },
          }),
        words,
      );
      expect(moved).toEqual(
        Uint32Array.from(
          { length: n * words },
          (_, k) => values[order[Math.floor(k / words)] * words + (k % words)],
        ),
      );
    }
  });

  it(`finds permutation and ranks (${strategy.name})`, async () => {
    const n = 5000;
    const keys = Uint32Array.from({ length: n }, () => random() % 1000);
    const expected = orderOf("i32", keys, { descending: true });
    const request = { type: "i32", count: n, descending: true } as const;
    const [order] = await run(recorder, [keys], [n], (from, to) =>
      sort.recordArgsort(recorder, { ...request, keys: from[0], order: to[0] }),
    );
    expect(order).toEqual(Uint32Array.from(expected));
    const [rank] = await run(recorder, [keys], [n], (from, to) =>
      sort.recordRank(recorder, { ...request, keys: from[0], rank: to[0] }),
    );
    expect(Array.from(expected, (i) => rank[i])).toEqual(expected.map((_, at) => at));
  });

  it(`sorts within segments (${strategy.name})`, async () => {
    const n = 6000;
    const keys = randomWords(n);
    let segment = 0;
    const segments = Uint32Array.from({ length: n }, () => (random() % 50 === 0 ? ++segment : segment));
    const [sorted] = await run(recorder, [keys, segments], [n], (from, to) =>
      sort.recordSegmented(recorder, {
        ...{ type: "f32", count: n, keys: from[0], sorted: to[0] },
        ...{ segmentNumbers: from[1], segments: segment + 1 },
      }),
    );
    const order = Array.from(keys, (_, i) => i).sort(
      (a, b) => segments[a] - segments[b] || ordered("f32", keys[a]) - ordered("f32", keys[b]) || a - b,
    );
    expect(sorted).toEqual(Uint32Array.from(order, (i) => canonical("f32", keys[i])));
  });

  it(`takes its count from the GPU, and leaves the rest (${strategy.name})`, async () => {
    const keys = randomWords(6000);
    const [sorted] = await run(recorder, [keys, Uint32Array.of(4100)], [6000], (from, to) =>
      sort.record(recorder, {
        type: "u32",
        count: { buffer: from[1].buffer, offset: from[1].offset, max: 6000 },
        keys: from[0],
        sorted: to[0],
      }),
    );
    expect(sorted.subarray(0, 4100)).toEqual(keys.slice(0, 4100).sort());
    expect(sorted.subarray(4100).every((word) => word === poison)).toBe(true);
  });
}

const chained = strategies.filter(({ scan, name }) => scan === "chained" && !name.includes("out of order"));

it.each(isSweep ? chained : chained.slice(0, 1))(
  "passes tiles that never post ($name)",
  async ({ overrides, ...strategy }) => {
    const keys = randomWords(30_000);
    const sort = await createRadixSort(gpu, strategy, { ...overrides, silent: 2 });
    const [sorted] = await run(recorders.full, [keys], [keys.length], ([from], [to]) =>
      sort.record(recorders.full, { type: "u32", count: keys.length, keys: from, sorted: to }),
    );
    expect(sorted).toEqual(keys.slice().sort());
  },
);

// Compiling these takes a software adapter half a minute each.
const hardwareForms = [
  { ...strategies[1], name: "onesweep, subgroups of one size", overrides: { keys: large } },
  ...strategies.filter(({ name }) => !name.includes("one size") && !name.includes("out of order")),
];
it.runIf(isSweep).each(hardwareForms)(
  "sorts in the larger tiles of hardware ($name)",
  async ({ overrides, ...strategy }) => {
    const hardware = laidOutForHardware(strategy.subgroups ? gpu : bare);
    const recorder = strategy.subgroups ? recorders.full : recorders.bare;
    const sort = await createRadixSort(hardware, strategy, overrides);
    for (const n of [4000, 5376, 20_000]) {
      const keys = randomWords(n);
      const order = orderOf("u32", keys, {});
      const [sorted] = await run(recorder, [keys], [n], (from, to) =>
        sort.record(recorder, { type: "u32", count: n, keys: from[0], sorted: to[0] }),
      );
      expect(sorted).toEqual(keys.slice().sort());
      const [found] = await run(recorder, [keys], [n], (from, to) =>
        sort.recordArgsort(recorder, { type: "u32", count: n, keys: from[0], order: to[0] }),
      );
      expect(found).toEqual(Uint32Array.from(order));
    }
  },
);

it("takes the form of keys where subgroups are of one size, and tiles fit", () => {
  const { limits } = gpu.device;
  const device = (info: object) =>
    ({
      limits,
      adapterInfo: { vendor: "nvidia", subgroupMinSize: 32, subgroupMaxSize: 32, ...info },
    }) as GPUDevice;
  expect(keysForm(device({}))).toBeDefined();
  expect(keysForm(device({ vendor: "intel" }))).toBeUndefined();
  expect(keysShape(device({}), large)).toMatchObject({ lanes: 32, rows: 8, turns: 1 });
  expect(keysShape(device({ subgroupMinSize: 4, subgroupMaxSize: 4 }), large)).toMatchObject({
    rows: 16,
    turns: 4,
  });
  expect(keysShape(device({ subgroupMinSize: 16 }), large)).toBeUndefined();
  expect(keysShape(device({}), { ...large, items: 4000 })).toBeUndefined();
});
