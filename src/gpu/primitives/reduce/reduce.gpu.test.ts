import { expect, it } from "vitest";
import { add, argmax, argmin, last, max, mul } from "../../../core/primitives/operators.ts";
import { expectedOf } from "../../../core/primitives/testing/expected.ts";
import { affine } from "../../../core/primitives/testing/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readBytes } from "../../device/transfer.ts";
import { bareGpu } from "../../testing/context.ts";
import {
  counting,
  elementOfKey,
  extremes,
  innerProduct,
  noPosition,
  position,
  reduction,
} from "./kernels.ts";
import { createReduce, type ReduceKernel } from "./reduce.ts";

const gpu = await bareGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;

type Data = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
interface Options {
  readonly offset?: number;
  readonly init?: number[];
  readonly empty?: readonly number[];
  /** A count on the GPU. */
  readonly count?: number;
}

async function reduce(
  kernel: ReduceKernel,
  arrays: readonly Data[],
  { offset = 0, init, empty = [0], count }: Options = {},
): Promise<Uint32Array> {
  const scope = gpu.scope();
  const place = (data: Data) => {
    const { buffer } = scope.allocate("reduce test", Math.max(4, (offset + data.length) * 4), usage);
    gpu.device.queue.writeBuffer(buffer, offset * 4, data);
    return { buffer, offset, length: data.length };
  };
  const counter = scope.allocate("count", 4, usage);
  gpu.device.queue.writeBuffer(counter.buffer, 0, Uint32Array.of(count ?? 0));
  const result = scope.allocate("result", 32, usage);
  gpu.device.queue.writeBuffer(result.buffer, 0, new Uint32Array(8).fill(poison));
  const made = await createReduce(gpu, kernel);
  made.record(recorder, {
    inputs: arrays.map(place),
    result: { buffer: result.buffer, offset: 1, length: 2 },
    count: count === undefined ? undefined : { buffer: counter.buffer, offset: 0, max: arrays[0].length },
    init,
    empty,
  });
  recorder.submit();
  const words = new Uint32Array(await readBytes(gpu, result));
  scope.release();
  const written = kernel.accumulator.startsWith("vec2") ? 2 : 1;
  const outside = words.filter((_, w) => w < 1 || w > written);
  expect([...outside]).toEqual(new Array(8 - written).fill(poison));
  return words.subarray(1, 3);
}

const noise = (n: number) => Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 7, 0x9e3779b1) >>> 0);

it("reduces any size at any offset, in order", async () => {
  for (const [k, n] of [1, 2, 3, 5, 127, 128, 513, 4095, 4096, 4097, 16384, 16385, 70001].entries()) {
    const data = noise(n);
    for (const operator of [add, affine, last]) {
      const expected = [...data].reduce(expectedOf(operator, "u32"));
      const got = await reduce(reduction("u32", operator), [data], { offset: [0, 3, 64, 65][k % 4] });
      expect(got[0], `${operator.name} of ${n}`).toBe(expected);
    }
  }
});

it("counts init once, gives what is empty its value, and reads its length on the GPU", async () => {
  expect((await reduce(reduction("u32", add), [noise(0)], { empty: [42] }))[0]).toBe(42);
  expect((await reduce(reduction("u32", add), [noise(0)], { init: [5] }))[0]).toBe(5);
  const data = noise(20000);
  for (const count of [0, 1, 4097, 20000]) {
    const expected = [...data.subarray(0, count)].reduce(expectedOf(affine, "u32"), 0x30005);
    expect((await reduce(reduction("u32", affine), [data], { init: [0x30005], count }))[0]).toBe(expected);
  }
});

it("reduces functions, products and predicates", async () => {
  const data = Int32Array.from(noise(9001));
  const isOdd = { name: "odd", text: "(x & 1) != 0" };
  const negated = { name: "negated", text: "-x" };
  expect((await reduce(counting("i32", isOdd), [data]))[0]).toBe(data.filter((x) => x % 2 !== 0).length);
  const greatest = [...data].reduce((a, x) => Math.max(a, -x), -(2 ** 31));
  expect((await reduce(reduction("i32", max, negated), [data]))[0] | 0).toBe(greatest);
  const [a, b] = [noise(5003), noise(6000).map((x) => x >>> 5)];
  const dot = a.reduce((sum, x, i) => (sum + Math.imul(x, b[i])) >>> 0, 0);
  expect((await reduce(innerProduct("u32", add, mul), [a, b]))[0]).toBe(dot);
});

it("finds extremes and their first positions, past NaN", async () => {
  const values = Float32Array.from(noise(10000), (x) => (x >>> 20) / 16 - 100);
  values.set([Number.NaN, -0, 0], 0);
  values[5000] = values[7000] = 1e9;
  values[6000] = values[6001] = Number.NEGATIVE_INFINITY;
  const find = async (type: ScalarType, data: Data, greatest: boolean) =>
    (await reduce(position(type, greatest ? argmax : argmin), [data], { empty: noPosition }))[1];
  expect(await find("f32", values, true)).toBe(5000);
  expect(await find("f32", values, false)).toBe(6000);
  expect(await find("f32", Float32Array.of(Number.NaN, 0, -0), false)).toBe(1);
  expect(await find("f32", Float32Array.of(Number.NaN), false)).toBe(0xffffffff);
  expect(await find("i32", Int32Array.of(3, -7, 9, -7), false)).toBe(1);
  const [low, high] = await reduce(extremes("f32"), [values], { empty: noPosition });
  expect([elementOfKey("f32", low), elementOfKey("f32", ~high >>> 0)]).toEqual([
    Number.NEGATIVE_INFINITY,
    1e9,
  ]);
});

it("sums f32 within its bound", async () => {
  const values = Float32Array.from(noise(100_003), (x) => x / 2 ** 31 - 1);
  const [word] = await reduce(reduction("f32", add), [values]);
  const got = new Float32Array(Uint32Array.of(word).buffer)[0];
  const [sum, size] = values.reduce(([s, m], x) => [s + x, m + Math.abs(x)], [0, 0] as [number, number]);
  expect(Math.abs(got - sum)).toBeLessThanOrEqual(81 * 2 ** -24 * size);
});
