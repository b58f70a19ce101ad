import { describe, expect, it } from "vitest";
import type { CrinkleError } from "../../../../core/errors.ts";
import { noJob } from "../../../../core/job.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { PassTimer } from "../../../../gpu/device/timing.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { compile } from "../../compile.ts";
import { dataSetOf, sampledField, uniformGrid } from "../testing/data-sets.ts";
import { GpuDataSet, readInterleaved, runOnCpu } from "../testing/evaluate.ts";
import { evaluateOnGpu, prepareOnGpu } from "./evaluate.ts";

const grid = uniformGrid([12, 10, 8]);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "v", "node", (x, y, z) => [Math.sin(3 * y), x * z, Math.cos(2 * x)]),
  sampledField(grid, "p", "node", (x, y, z) => x * y + z * z),
);
const plane = 12 * 10 * 8 * 4;

describe("memory and transfers", () => {
  it("of one evaluation are its inputs, outputs and temporaries at their time", async () => {
    const gpu = await testGpu();
    const inputs = new GpuDataSet(gpu, dataSet);
    const text = "l = laplacian(laplacian(laplacian(p)))";
    await inputs.field("p");
    inputs.tables("node");
    const before = gpu.pool.use;
    gpu.pool.resetPeak();
    const counters = { ...gpu.counters };
    const got = await evaluateOnGpu(gpu, compile(text, dataSet.fields), inputs, ["l"], noJob);
    // Nothing is sent or brought back.
    expect(gpu.counters).toEqual({ ...counters, kernels: counters.kernels + 3 });
    const uniforms = 3 * 128;
    expect(gpu.pool.use.peak - before.current).toBeLessThanOrEqual(2 * plane + uniforms);
    expect(gpu.pool.use.current - before.current).toBe(plane);
    got.fields.get("l")?.buffer.release();
    expect(gpu.pool.use).toEqual({ ...before, peak: gpu.pool.use.peak });
    await inputs.release();
  });

  it("are given back when an evaluation is cancelled, or fails", async () => {
    const gpu = await testGpu();
    const inputs = new GpuDataSet(gpu, dataSet);
    await inputs.field("p");
    inputs.tables("node");
    const before = gpu.pool.use.current;
    const network = compile("l = laplacian(p)", dataSet.fields);
    const controller = new AbortController();
    const job = { signal: controller.signal, progress: () => controller.abort() };
    await expect(evaluateOnGpu(gpu, network, inputs, ["l"], job)).rejects.toMatchObject({ tag: "Cancelled" });
    expect(gpu.pool.use.current).toBe(before);
    const missing = await evaluateOnGpu(gpu, network, inputs, ["m"], noJob).catch((e: CrinkleError) => e);
    expect(missing).toMatchObject({ tag: "UnknownName" });
    expect(gpu.pool.use.current).toBe(before);
    await inputs.release();
  });
});

describe("a prepared evaluation", () => {
  it("may be recorded again and again, and follows its inputs", async () => {
    const gpu = await testGpu();
    const inputs = new GpuDataSet(gpu, dataSet);
    const text = "c = curl(curl(v)); q = q_criterion(v)";
    const before = gpu.pool.use.current;
    const prepared = await prepareOnGpu(gpu, compile(text, dataSet.fields), inputs, ["c", "q"]);
    const run = async () => {
      const encoder = gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      prepared.record(pass);
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
      return [
        await readInterleaved(gpu, prepared.fields.get("c")!),
        await readInterleaved(gpu, prepared.fields.get("q")!),
      ];
    };
    const expected = await runOnCpu(text, dataSet);
    for (const [c, q] of [await run(), await run()]) {
      expectArraysClose(c, expected.c, { absolute: 2e-3 });
      expectArraysClose(q, expected.q, { absolute: 1e-4 });
    }
    const field = await inputs.field("v");
    gpu.device.queue.writeBuffer(field.buffer.buffer, 0, new Float32Array(field.count * 3));
    for (const values of await run()) expect(values.every((value) => value === 0)).toBe(true);
    prepared.release();
    await inputs.release();
    expect(gpu.pool.use.current).toBeLessThanOrEqual(before);
  });
});

describe("a timed evaluation", () => {
  it("reports each kernel's GPU time", async () => {
    const gpu = await testGpu();
    const inputs = new GpuDataSet(gpu, dataSet);
    const timer = new PassTimer(gpu.device);
    const network = compile("l = laplacian(laplacian(p))", dataSet.fields);
    const { fields, report } = await evaluateOnGpu(gpu, network, inputs, ["l"], noJob, { timer });
    expect(report.kernelReports.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^temporary/),
      "l",
    ]);
    expect(timer.isAvailable).toBe(true);
    for (const { ms } of report.kernelReports) expect(ms).toBeGreaterThanOrEqual(0);
    fields.get("l")?.buffer.release();
    timer.dispose();
    await inputs.release();
  });
});
