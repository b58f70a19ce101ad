import fc from "fast-check";
import { expect, it } from "vitest";
import { maxKept, type SetOperation } from "../../../core/primitives/set-operations.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { chooseStrategy } from "../choose-strategy.ts";
import { createSetOperator, type SetOperator } from "./sets.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const strategy = await chooseStrategy(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const operations = ["union", "intersection", "difference"] as const;

type Data = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  /** Lengths on the GPU. */
  readonly counts?: readonly [a: number, b: number];
}

/** The words of the result; what lies around them has to stay poisoned. */
async function run(
  operation: SetOperation,
  operator: SetOperator,
  a: Data,
  b: Data,
  { offset = 0, counts }: Options = {},
) {
  const scope = gpu.scope();
  const place = (data: Data) => {
    const pooled = scope.allocate("set test", (offset + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(offset + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length } };
  };
  const output = place(new Uint32Array(maxKept(operation, a.length, b.length)).fill(poison));
  const total = place(Uint32Array.of(poison));
  const counter = counts && place(Uint32Array.from(counts));
  const count = (k: 0 | 1, max: number) =>
    counter && { buffer: counter.view.buffer, offset: offset + k, max };
  operator.record(recorder, {
    a: place(a).view,
    b: place(b).view,
    aCount: count(0, a.length),
    bCount: count(1, b.length),
    output: output.view,
    total: total.view,
  });
  recorder.submit();
  const [words, totals] = await Promise.all([output, total].map(({ pooled }) => readU32(gpu, pooled)));
  scope.release();
  const length = totals[offset];
  expect(words.subarray(0, offset).every((word) => word === poison)).toBe(true);
  expect(words.subarray(offset + length).every((word) => word === poison)).toBe(true);
  return [...words.subarray(offset, offset + length)];
}

/** Whether x comes after y; −0 equals +0, NaN is greatest. */
const isAfter = (x: number, y: number) => x > y || (Number.isNaN(x) && !Number.isNaN(y));

/** The words of the result by two fingers, which pair equals off as they meet them. */
function expected(operation: SetOperation, a: Data, b: Data): number[] {
  const [wordsA, wordsB] = [a, b].map((data) => new Uint32Array(data.buffer, data.byteOffset, data.length));
  const words: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (j >= b.length || (i < a.length && isAfter(b[j], a[i]))) {
      if (operation !== "intersection") words.push(wordsA[i]);
      i++;
    } else if (i >= a.length || isAfter(a[i], b[j])) {
      if (operation === "union") words.push(wordsB[j]);
      j++;
    } else {
      if (operation !== "difference") words.push(wordsA[i]);
      i++;
      j++;
    }
  }
  return words;
}

const ascending = (n: number, bits: number, seed: number) =>
  Uint32Array.from({ length: n }, (_, i) => Math.imul(i + seed, 0x9e3779b1) >>> (32 - bits)).sort();

for (const operation of operations) {
  it(`keeps elements as often as Thrust does: ${operation}`, async () => {
    const operator = await createSetOperator(gpu, "u32", operation, strategy);
    for (const [n, m, bits, offset] of [
      [0, 0, 8, 0],
      [1, 0, 8, 1],
      [0, 1, 8, 0],
      [3, 4, 1, 0],
      [1920, 1920, 11, 0],
      [1920, 1921, 31, 3],
      [9000, 10, 3, 64],
      [10, 9000, 3, 0],
      [30_000, 20_000, 14, 65],
      [12_000, 9000, 1, 0],
      [9000, 12_000, 2, 2],
    ]) {
      const [a, b] = [ascending(n, bits, 1), ascending(m, bits, 7919)];
      const got = await run(operation, operator, a, b, { offset });
      expect(got, `${n} and ${m} of ${bits} bits`).toEqual(expected(operation, a, b));
    }
    const [ones, sames] = [new Uint32Array(9000).fill(5), ascending(5000, 13, 3)];
    for (const [a, b] of [
      [ones, ones.slice(0, 8100)],
      [ones.slice(0, 8100), ones],
      [sames, sames],
      [sames, sames.map((x) => x + 10_000)],
    ]) {
      expect(await run(operation, operator, a, b)).toEqual(expected(operation, a, b));
    }
  });

  it(`reads both lengths on the GPU: ${operation}`, async () => {
    const operator = await createSetOperator(gpu, "u32", operation, strategy);
    const [a, b] = [ascending(5000, 11, 1), ascending(8000, 11, 7919)];
    for (const counts of [
      [0, 0],
      [5000, 0],
      [2000, 7999],
    ] as const) {
      const got = await run(operation, operator, a, b, { counts });
      expect(got).toEqual(expected(operation, a.slice(0, counts[0]), b.slice(0, counts[1])));
    }
  });
}

it("keeps its laws on any runs of equals", async () => {
  const made = await Promise.all(operations.map((name) => createSetOperator(gpu, "u32", name, strategy)));
  // Runs as (how much greater than the one before, how long), some longer than a tile.
  const length = fc.oneof(fc.nat(9), fc.nat(900), fc.nat(5000));
  const runs = fc.array(fc.tuple(fc.nat(2), length), { maxLength: 12 });
  const elements = (pairs: readonly [number, number][]) => {
    let value = 0;
    return Uint32Array.from(
      pairs.flatMap(([step, count]) => {
        value += step;
        return new Array<number>(count).fill(value);
      }),
    );
  };
  await fc.assert(
    fc.asyncProperty(runs, runs, async (ofA, ofB) => {
      const [a, b] = [elements(ofA), elements(ofB)];
      for (const [k, operation] of operations.entries()) {
        expect(await run(operation, made[k], a, b)).toEqual(expected(operation, a, b));
      }
    }),
    { numRuns: 20 },
  );
});

it("pairs zeros of either sign, NaN of any bits, and negative numbers", async () => {
  const bits = (...words: number[]) => new Float32Array(Uint32Array.from(words).buffer);
  const a = bits(0xff800000, 0xbf800000, 0x80000000, 0, 0, 0x3f800000, 0x7fc00001, 0x7fc00002);
  const b = bits(0xff800000, 0xc0000000, 0, 0x80000000, 0x7f800000, 0xffc00003).sort();
  for (const operation of operations) {
    const operator = await createSetOperator(gpu, "f32", operation, strategy);
    expect(await run(operation, operator, a, b)).toEqual(expected(operation, a, b));
  }
});

it("gives the portable strategy the same, of i32", async () => {
  const portable = { subgroups: false, scan: "reduce-then-scan" } as const;
  const operator = await createSetOperator(gpu, "i32", "union", portable);
  const make = (n: number, seed: number) => Int32Array.from(ascending(n, 12, seed), (x) => x - 2048).sort();
  const [a, b] = [make(6000, 1), make(6000, 77)];
  expect(await run("union", operator, a, b)).toEqual(expected("union", a, b));
});

it("refuses outputs that are too short or read", async () => {
  const operator = await createSetOperator(gpu, "u32", "union", strategy);
  const scope = gpu.scope();
  const [input, result, counter] = [0, 1, 2].map(() => scope.allocate("set test", 64, usage).buffer);
  const [a, output, total] = [input, result, counter].map((buffer) => ({ buffer, offset: 0, length: 8 }));
  expect(() => operator.record(recorder, { a, b: a, output, total })).toThrow("can have 16 elements");
  const long = { ...output, length: 16 };
  expect(() => operator.record(recorder, { a, b: a, output: long, total: long })).toThrow("also reads");
  expect(() => operator.record(recorder, { a, b: a, output: { ...a, length: 16 }, total })).toThrow(
    "also reads",
  );
  scope.release();
});
