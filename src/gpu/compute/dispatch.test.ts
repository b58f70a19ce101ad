import { expect, it, vi } from "vitest";
import { BoundKernel, submitPass } from "./dispatch.ts";
import { notingGpu, paperPipeline } from "./testing/paper-kernel.ts";

it("records a bound kernel, counts it, and makes no bind group for it again", () => {
  const { gpu, pass, groups, recorded } = notingGpu();
  const pipeline = paperPipeline("sum");
  const buffer = gpu.pool.allocate("sums", 1024, 128);
  const kernel = new BoundKernel(gpu, pipeline, [buffer]);
  for (const workgroups of [3, 65536, 0]) kernel.dispatch(pass, workgroups);
  const set = ["pipeline sum", "group 0 sum"];
  expect(recorded).toEqual([...set, "dispatch 3 × 1", ...set, "dispatch 32768 × 2"]);
  expect(gpu.counters.kernels).toBe(2);
  new BoundKernel(gpu, pipeline, [buffer]).dispatch(pass, 1);
  expect(groups.length).toBe(1);
});

it("submits a pass under a label, with the timestamps that it is given", () => {
  const { gpu, recorded } = notingGpu();
  const submit = vi.fn();
  Object.defineProperty(gpu.device, "queue", { value: { submit } });
  submitPass(gpu, "drag", () => recorded.push("recorded"));
  expect(recorded).toEqual(["begin drag", "recorded", "end"]);
  expect(submit).toHaveBeenCalledTimes(1);
});
