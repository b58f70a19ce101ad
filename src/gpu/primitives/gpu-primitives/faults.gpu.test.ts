import { expect, it } from "vitest";
import { add, max } from "../../../core/primitives/operators.ts";
import { isOdd, triple } from "../../../core/primitives/testing/operators.ts";
import { testGpu } from "../../testing/context.ts";
import { withoutMemory } from "../../testing/refuse-memory.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const gpu = await testGpu();
const strategy = { subgroups: true, scan: "chained" } as const;

/** Large ones. */
const isVector = ({ label, size }: GPUBufferDescriptor) => label === "vector" && size > 100_000;

it("keeps no memory of methods that were in flight when it was disposed of", async () => {
  const before = gpu.pool.use.current;
  const own = await createGpuPrimitives(gpu, { strategy });
  const vector = own.fromHost("u32", Uint32Array.of(1, 2, 3));
  const recording = [own.transform(vector, triple, "u32"), own.copyIf(vector, { where: isOdd })];
  own.dispose();
  for (const { status, ...rest } of await Promise.allSettled(recording)) {
    expect(rest).toMatchObject({ reason: { tag: "BadArgument" } });
  }
  expect(gpu.pool.use.current).toBe(before);

  const other = await createGpuPrimitives(gpu, { strategy });
  const there = other.fromHost("u32", Uint32Array.of(1, 2, 3));
  expect(await other.reduce(there, add)).toBe(6);
  const reading = [other.toHost(there), other.reduce(there, add), other.copyIf(there, { where: isOdd })];
  const outcomes = Promise.allSettled(reading);
  await new Promise((resolve) => setTimeout(resolve));
  other.dispose();
  for (const { status, ...rest } of await outcomes) {
    if (status === "rejected") expect(rest).toMatchObject({ reason: { tag: "BadArgument" } });
  }
  expect(gpu.pool.use.current).toBe(before);
});

it("does not give memory that the device refused to another vector", async () => {
  const own = await createGpuPrimitives(gpu, { strategy });
  const before = await own.fill("u32", 9, 1);
  own.flush();
  const uncaptured = await withoutMemory(gpu, isVector, async () => {
    (await own.fill("u32", 30_000, 1)).release();
    const refused = await own.fill("u32", 30_000, 1);
    await expect(own.reduce(refused, add)).rejects.toMatchObject({ tag: "OutOfMemory" });
    await expect(own.copy(refused)).rejects.toMatchObject({ tag: "OutOfMemory" });
    refused.release();
    const uploaded = own.fromHost("u32", new Uint32Array(40_000));
    await expect(own.toHost(uploaded)).rejects.toMatchObject({ tag: "OutOfMemory" });
    uploaded.release();
  });
  expect(uncaptured).toEqual([]);
  const ones = await own.fill("u32", 30_000, 1);
  expect(await own.reduce(ones, add)).toBe(30_000);
  expect(await own.reduce(own.fromHost("u32", new Uint32Array(40_000).fill(2)), add)).toBe(80_000);
  expect(await own.reduce(before, add)).toBe(9);
  own.dispose();
});

it("sorts and scans again after the device had no memory for the workspace", async () => {
  const own = await createGpuPrimitives(gpu, { strategy });
  const keys = own.reversed(own.counting("u32", 5000));
  const work = {
    "workspace: sort": () => own.sort(keys),
    parameters: () => own.sort(keys),
    "tagged words": () => own.inclusiveScan(own.constant("u32", 5000, 1), add),
  };
  for (const make of Object.values(work)) (await make()).release();
  for (const [what, make] of Object.entries(work)) {
    own.trim();
    const isRefused = ({ label }: GPUBufferDescriptor) => label!.includes(what);
    const uncaptured = await withoutMemory(gpu, isRefused, async () => {
      const made = await make();
      await expect(own.toHost(made)).rejects.toMatchObject({ tag: "OutOfMemory" });
      made.release();
    });
    expect(uncaptured).toEqual([]);
    const made = await make();
    expect(await own.reduce(made, max)).toBe(what === "tagged words" ? 5000 : 4999);
    expect(await own.back(made)).toBe(what === "tagged words" ? 5000 : 4999);
    made.release();
  }
  own.dispose();
});

it("says so where a vector was lost with another that had no memory", async () => {
  const own = await createGpuPrimitives(gpu, { strategy });
  const [good, target] = [await own.fill("u32", 9, 1), await own.fill("u32", 9, 1)];
  const nines = own.constant("u32", 9, 9);
  expect(await own.reduce(good, add)).toBe(9);
  const uncaptured = await withoutMemory(gpu, isVector, async () => {
    const lost = await own.copy(nines);
    await own.scatter(nines, own.counting("u32", 9), target);
    const refused = await own.fill("u32", 30_000, 1);
    own.flush();
    const later = await own.copy(lost);
    for (const vector of [lost, target, refused, later]) {
      await expect(own.toHost(vector)).rejects.toMatchObject({ tag: "OutOfMemory" });
      await expect(own.copy(vector)).rejects.toThrow(/memory/);
      vector.release();
    }
    for (let k = 0; k < 70; k++) (await own.copy(nines)).release();
  });
  expect(uncaptured).toEqual([]);
  expect(await own.reduce(good, add)).toBe(9);
  const after = await own.copy(nines);
  expect(await own.reduce(after, add)).toBe(81);
  own.dispose();
});
