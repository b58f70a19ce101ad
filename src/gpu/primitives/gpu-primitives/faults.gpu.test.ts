import { expect, it } from "vitest";
import { add } from "../../../core/primitives/operators.ts";
import { isOdd, triple } from "../../../core/primitives/testing/operators.ts";
import { testGpu } from "../../testing/context.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const gpu = await testGpu();
const strategy = { subgroups: true, scan: "chained" } as const;

it("keeps no memory of methods that were in flight when it was disposed of", async () => {
  const before = gpu.pool.use.current;
  const own = await createGpuPrimitives(gpu, { strategy });
  const vector = own.fromHost("u32", Uint32Array.of(1, 2, 3));
  const recording = [own.transform(vector, triple, "u32"), own.copyIf(vector, { where: isOdd })];
  own.dispose();
  for (const method of recording) await expect(method).rejects.toMatchObject({ tag: "BadArgument" });
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
