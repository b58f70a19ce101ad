import { expect, it } from "vitest";
import { add } from "../../../core/primitives/operators.ts";
import { testGpu } from "../../testing/context.ts";
import { portableStrategy } from "../base/strategy.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

it("reads somebody else's buffer where it is, does not free it, and refuses it once its owner has", async () => {
  const gpu = await testGpu();
  const p = await createGpuPrimitives(gpu, { strategy: portableStrategy });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const memory = gpu.pool.allocate("somebody's", 16, usage);
  gpu.device.queue.writeBuffer(memory.buffer, 0, Float32Array.of(1, 2, 3, 4));
  const vector = p.adopt("f32", memory, 4);
  expect(await p.reduce(vector, add)).toBe(10);
  expect([...(await p.toHost(p.reversed(vector)))]).toEqual([4, 3, 2, 1]);
  vector.release();
  p.trim();
  expect(gpu.pool.holds(memory.buffer)).toBe(true);
  expect(() => p.adopt("f32", memory, 5)).toThrow("the most here is 4");
  memory.release();
  await expect(p.reduce(vector, add)).rejects.toMatchObject({ tag: "BadArgument" });
  p.dispose();
});
