import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PipelineCache } from "./pipelines.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A device that takes as many milliseconds to compile a shader as its label says. */
const slow = {
  createShaderModule: () => ({}),
  createComputePipelineAsync: ({ label }: GPUComputePipelineDescriptor) =>
    new Promise((resolve) => setTimeout(() => resolve({ label }), Number(label))),
} as unknown as GPUDevice;

const shader = (ms: number) => ({ label: String(ms), code: `// ${ms}`, entryPoint: "main" });

it("counts the time in which anything is compiled once, and no time between", async () => {
  const cache = new PipelineCache(slow);
  const together = Promise.all([cache.get(shader(30)), cache.get(shader(50)), cache.get(shader(30))]);
  await vi.advanceTimersByTimeAsync(1000);
  await together;
  expect([cache.count, cache.compileMs]).toEqual([2, 50]);
  const alone = cache.get(shader(20));
  await vi.advanceTimersByTimeAsync(1000);
  await alone;
  expect([cache.count, cache.compileMs]).toEqual([3, 70]);
});
