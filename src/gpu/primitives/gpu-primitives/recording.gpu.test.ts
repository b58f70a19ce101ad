import { afterAll, expect, it } from "vitest";
import { own } from "../../../core/primitives/access.ts";
import { defineKernel } from "../../../core/primitives/kernel.ts";
import { add, defineOperator } from "../../../core/primitives/operators.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import { isOdd, triple } from "../../../core/primitives/testing/operators.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import { GpuContext } from "../../device/context.ts";
import { testGpu } from "../../testing/context.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const gpu = await testGpu();
const strategy = { subgroups: true, scan: "chained" } as const;
const primitives = await createGpuPrimitives(gpu, { strategy });

afterAll(() => primitives.dispose());

/** Counts what `work` asks of the device. */
async function calls(
  work: () => Promise<void>,
): Promise<{ submissions: number; buffers: number; groups: number }> {
  const { device } = gpu;
  const { queue } = device;
  const count = { submissions: 0, buffers: 0, groups: 0 };
  const { submit } = queue;
  const { createBuffer, createBindGroup } = device;
  queue.submit = (buffers) => {
    count.submissions++;
    return submit.call(queue, buffers);
  };
  device.createBuffer = (descriptor) => {
    count.buffers++;
    return createBuffer.call(device, descriptor);
  };
  device.createBindGroup = (descriptor) => {
    count.groups++;
    return createBindGroup.call(device, descriptor);
  };
  try {
    await work();
  } finally {
    queue.submit = submit;
    device.createBuffer = createBuffer;
    device.createBindGroup = createBindGroup;
  }
  return count;
}

/** Ten primitives, one after the other, and the sum of what comes of them. */
async function chain(p: Primitives): Promise<number> {
  const vectors: Vector<"u32">[] = [await p.sequence("u32", 1000)];
  const put = async (result: Promise<Vector<"u32">>) => {
    vectors.push(await result);
    return vectors[vectors.length - 1];
  };
  const tripled = await put(p.transform(vectors[0], triple, "u32"));
  const scanned = await put(p.inclusiveScan(tripled, add));
  const reversed = await put(p.reverse(scanned));
  const sorted = await put(p.sort(reversed));
  const moved = await put(p.gather(vectors[0], sorted));
  const found = await put(p.lowerBound(moved, scanned));
  const merged = await put(p.merge(moved, found));
  const copied = await put(p.copy(p.reversed(merged)));
  const sum = await p.reduce(copied, add);
  for (const vector of vectors) vector.release();
  return sum;
}

const numbers = Array.from({ length: 1000 }, (_, i) => i);
let running = 0;
const expectedScan = numbers.map((i) => {
  running += 3 * i + 1;
  return running;
});
const expectedSum = expectedScan.reduce((a, b) => a + b, 0) + (999 * 1000) / 2;

it("submits a chain of ten primitives once, and allocates nothing the second time", async () => {
  expect(await chain(primitives)).toBe(expectedSum);
  const count = await calls(async () => {
    expect(await chain(primitives)).toBe(expectedSum);
  });
  expect(count).toEqual({ submissions: 1, buffers: 0, groups: 0 });
});

it("submits what was recorded on request, and when much was", async () => {
  const vector = primitives.fromHost("u32", Uint32Array.of(1, 2, 3));
  const flushed = await calls(async () => {
    (await primitives.copy(vector)).release();
    primitives.flush();
    primitives.flush();
  });
  expect(flushed.submissions).toBe(1);
  const many = await calls(async () => {
    for (let k = 0; k < 130; k++) (await primitives.copy(vector)).release();
  });
  expect(many.submissions).toBe(2);
  vector.release();
});

it("does not let uploads overtake what was recorded before", async () => {
  const first = primitives.fromHost("u32", new Uint32Array(300).fill(1));
  const copies = await Promise.all([primitives.copy(first), primitives.copy(first)]);
  first.release();
  const second = primitives.fromHost("u32", new Uint32Array(300).fill(2));
  expect(await primitives.reduce(copies[1], add)).toBe(300);
  expect(await primitives.reduce(second, add)).toBe(600);
  for (const vector of [...copies, second]) vector.release();
});

it("keeps the memory of what is being read when it is released meanwhile", async () => {
  const vector = primitives.fromHost("u32", new Uint32Array(500).fill(5));
  const kept = primitives.copyIf(vector, { where: isOdd });
  vector.release();
  const other = primitives.fromHost("u32", new Uint32Array(500).fill(4));
  const result = await kept;
  expect(await primitives.toHost(result)).toEqual(new Uint32Array(500).fill(5));
  result.release();
  other.release();
});

it("identifies operators and functions by their code, not by their names", async () => {
  const vector = primitives.fromHost("u32", Uint32Array.of(5, 3, 9));
  const [sum, product] = ["a + b", "a * b"].map((text, k) =>
    defineOperator({ name: "mine", isCommutative: true, identity: k, text }),
  );
  expect(await primitives.reduce(vector, sum)).toBe(17);
  expect(await primitives.reduce(vector, product)).toBe(135);
  const functions = ["x + 1u", "x + 2u"].map((text) => ({ name: "mine", text }));
  const results = await Promise.all(functions.map((f) => primitives.transform(vector, f, "u32")));
  expect(await primitives.toHost(results[0])).toEqual(Uint32Array.of(6, 4, 10));
  expect(await primitives.toHost(results[1])).toEqual(Uint32Array.of(7, 5, 11));
  for (const used of [vector, ...results]) used.release();
});

it("shortens vectors of which little is left", async () => {
  const before = gpu.pool.use.current;
  const own = await createGpuPrimitives(gpu, { strategy });
  const vector = await own.sequence("u32", 1 << 16);
  const kept = await own.copyIf(vector, { where: { name: "few", text: "x < 9u" } });
  expect(await own.toHost(kept)).toEqual(Uint32Array.from({ length: 9 }, (_, i) => i));
  vector.release();
  own.trim();
  expect(await own.toHost(kept)).toEqual(Uint32Array.from({ length: 9 }, (_, i) => i));
  own.dispose();
  expect(gpu.pool.use.current).toBe(before);
});

it("refuses work after its end, and after that of the device", async () => {
  const own = await createGpuPrimitives(gpu, { strategy });
  const vector = own.fromHost("u32", Uint32Array.of(1, 2));
  own.dispose();
  await expect(own.copy(vector)).rejects.toMatchObject({ tag: "BadArgument" });
  expect(() => own.fromHost("u32", Uint32Array.of(1))).toThrow("disposed");
  const other = await GpuContext.open(navigator.gpu);
  const lost = await createGpuPrimitives(other, { strategy });
  const there = lost.fromHost("u32", Uint32Array.of(1, 2));
  other.device.destroy();
  await other.device.lost;
  await expect(lost.reduce(there, add)).rejects.toMatchObject({ tag: "DeviceLost" });
  expect(() => lost.fromHost("u32", Uint32Array.of(1))).toThrow("lost");
});

it("compiles nothing for a kernel's other constants", async () => {
  const scaled = defineKernel({
    name: "scaled",
    inputs: { values: { type: "f32", access: own } },
    constants: { factor: { type: "f32" } },
    outputs: { results: { type: "f32" } },
    text: "out.results = values() * constants.factor;",
  });
  const inputs = { values: primitives.fromHost("f32", Float32Array.of(1, 2, 3)) };
  const pipelines: number[] = [];
  for (const factor of [0.5, 2, -4]) {
    const { results } = await primitives.forEach(3, scaled, { inputs, constants: { factor } });
    expect(await primitives.toHost(results)).toEqual(Float32Array.of(factor, 2 * factor, 3 * factor));
    pipelines.push(gpu.pipelines.count);
    results.release();
  }
  expect(pipelines).toEqual(new Array(3).fill(pipelines[0]));
  inputs.values.release();
});
