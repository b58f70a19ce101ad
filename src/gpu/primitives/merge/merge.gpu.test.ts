import { expect, it } from "vitest";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createMerge, type Merge } from "./merge.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;

type Data = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  /** Lengths on the GPU. */
  readonly counts?: readonly [a: number, b: number];
  readonly hasValues?: boolean;
}

/** The merged words and values; what lies around them has to stay poisoned. */
async function run(merge: Merge, a: Data, b: Data, { offset = 0, counts, hasValues }: Options = {}) {
  const scope = gpu.scope();
  const place = (data: Data) => {
    const pooled = scope.allocate("merge test", (offset + data.length + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(offset + data.length + 1).fill(poison));
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length } };
  };
  const blank = () => place(new Uint32Array(a.length + b.length).fill(poison));
  const [output, valuesOut] = [blank(), blank()];
  const counter = counts && place(Uint32Array.from(counts));
  const count = (k: 0 | 1, max: number) =>
    counter && { buffer: counter.view.buffer, offset: offset + k, max };
  merge.record(recorder, {
    a: place(a).view,
    b: place(b).view,
    aCount: count(0, a.length),
    bCount: count(1, b.length),
    output: output.view,
    values: hasValues
      ? {
          a: place(Uint32Array.from(a, (_, i) => i)).view,
          b: place(Uint32Array.from(b, (_, i) => 1e6 + i)).view,
          output: valuesOut.view,
        }
      : undefined,
  });
  recorder.submit();
  const total = counts ? counts[0] + counts[1] : a.length + b.length;
  const results = [];
  for (const { pooled } of [output, valuesOut]) {
    const words = await readU32(gpu, pooled);
    expect(words.subarray(0, offset).every((word) => word === poison)).toBe(true);
    expect(words.subarray(offset + total).every((word) => word === poison)).toBe(true);
    results.push([...words.subarray(offset, offset + total)]);
  }
  scope.release();
  return results;
}

/** Whether x comes after y; −0 equals +0, NaN is greatest. */
const isAfter = (x: number, y: number) => x > y || (Number.isNaN(x) && !Number.isNaN(y));

/** The merged words and values by two fingers. */
function expected(a: Data, b: Data): [number[], number[]] {
  const [wordsA, wordsB] = [a, b].map((data) => new Uint32Array(data.buffer, data.byteOffset, data.length));
  const [words, values]: [number[], number[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && (j >= b.length || !isAfter(a[i], b[j]))) {
      words.push(wordsA[i]);
      values.push(i++);
    } else {
      words.push(wordsB[j]);
      values.push(1e6 + j++);
    }
  }
  return [words, values];
}

const arrays = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

/** Ascending elements of `bits` random bits, some of them negative where the type has signs. */
function ascending(type: ScalarType, n: number, bits: number, seed: number): Data {
  const data = arrays[type].from(
    Array.from(
      { length: n },
      (_, i) => (Math.imul(i + seed, 0x9e3779b1) >>> (32 - bits)) - (type === "u32" ? 0 : 2 ** (bits - 1)),
    ),
  );
  return data.sort();
}

for (const type of ["u32", "i32", "f32"] as const) {
  it(`merges ${type} of any lengths, at any offset`, async () => {
    const merge = await createMerge(gpu, type);
    for (const [n, m, bits, offset] of [
      [0, 1, 8, 0],
      [1, 0, 8, 1],
      [3, 4, 1, 0],
      [1900, 1939, 31, 0],
      [1900, 1940, 8, 3],
      [3841, 0, 8, 64],
      [0, 3841, 8, 0],
      [10, 9000, 5, 65],
      [9000, 10, 5, 0],
      [20_000, 12_345, 20, 2],
      [8000, 8000, 1, 0],
    ]) {
      const [a, b] = [ascending(type, n, bits, 1), ascending(type, m, bits, 77)];
      const [got] = await run(merge, a, b, { offset });
      expect(got, `${n} and ${m}`).toEqual(expected(a, b)[0]);
    }
  });
}

it("keeps equal elements in order, of a before b, as their values tell", async () => {
  const merge = await createMerge(gpu, "u32", true);
  for (const [n, m, bits] of [
    [5000, 7000, 3],
    [4000, 4000, 1],
    [3000, 3000, 30],
  ]) {
    const [a, b] = [ascending("u32", n, bits, 5), ascending("u32", m, bits, 99)];
    expect(await run(merge, a, b, { hasValues: true, offset: 1 })).toEqual(expected(a, b));
  }
});

it("reads both lengths on the GPU", async () => {
  const merge = await createMerge(gpu, "u32");
  const [a, b] = [ascending("u32", 5000, 12, 5), ascending("u32", 9000, 12, 99)] as const;
  for (const counts of [
    [0, 0],
    [5000, 0],
    [1, 3839],
    [3000, 8999],
  ] as const) {
    const [got] = await run(merge, a, b, { counts });
    expect(got).toEqual(expected(a.slice(0, counts[0]), b.slice(0, counts[1]))[0]);
  }
});

it("keeps the bits of zeros and NaN, which compare as equals", async () => {
  const merge = await createMerge(gpu, "f32");
  const bits = (...words: number[]) => new Float32Array(Uint32Array.from(words).buffer);
  const a = bits(0xff800000, 0x80000000, 0, 1, 0x7f800000, 0x7fc00001);
  const b = bits(0x80000001, 0, 0x80000000, 0x7f7fffff, 0xffc00000);
  const [got] = await run(merge, a, b);
  expect(got).toEqual([
    0xff800000, 0x80000001, 0x80000000, 0, 0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0x7fc00001, 0xffc00000,
  ]);
});

it("refuses outputs that are too short or read, and values that do not fit", async () => {
  const merge = await createMerge(gpu, "u32");
  const scope = gpu.scope();
  const [input, output] = [0, 1].map(() => scope.allocate("merge test", 64, usage).buffer);
  const a = { buffer: input, offset: 0, length: 8 };
  const result = { buffer: output, offset: 0, length: 15 };
  expect(() => merge.record(recorder, { a, b: a, output: result })).toThrow("8 and 8 elements");
  expect(() => merge.record(recorder, { a, b: a, output: { ...a, length: 16 } })).toThrow("also reads");
  const values = { a, b: a, output: result };
  expect(() => merge.record(recorder, { a, b: a, output: { ...result, length: 16 }, values })).toThrow(
    "without values",
  );
  scope.release();
});
