import { describe, expect, test } from "vitest";
import { testGpu } from "../testing/context.ts";
import { openDevice } from "./adapter.ts";
import { GpuContext } from "./context.ts";
import { PassTimer } from "./timing.ts";
import { readU32 } from "./transfer.ts";

const storage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

describe("the device", () => {
  test("has the adapter's own limits, not the defaults", async () => {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
    const gpu = await testGpu();
    for (const limit of [
      "maxBufferSize",
      "maxStorageBufferBindingSize",
      "maxComputeWorkgroupStorageSize",
    ] as const) {
      expect(gpu.device.limits[limit]).toBe(adapter?.limits[limit]);
    }
  });

  test("without navigator.gpu says what is missing and what to do", async () => {
    await expect(openDevice(undefined)).rejects.toMatchObject({ tag: "NoWebGPU" });
    await expect(openDevice(undefined)).rejects.toThrow(/navigator\.gpu is missing.*current Chrome/);
  });

  test("without an adapter says so", async () => {
    const none = { requestAdapter: async () => null } as unknown as GPU;
    await expect(openDevice(none)).rejects.toThrow("found no adapter");
  });
});

describe("the buffer pool", () => {
  test("accounts for every byte, now and at the peak", async () => {
    const gpu = await GpuContext.open(navigator.gpu);
    const a = gpu.pool.allocate("a", 1000, storage());
    const b = gpu.pool.allocate("b", 23, storage());
    expect(gpu.pool.use).toEqual({ current: 1024, peak: 1024, buffers: 2 });
    a.release();
    a.release();
    expect(gpu.pool.use).toEqual({ current: 24, peak: 1024, buffers: 1 });
    gpu.pool.resetPeak();
    b.release();
    expect(gpu.pool.use).toEqual({ current: 0, peak: 24, buffers: 0 });
    gpu.dispose();
  });

  test("forgets what is handed over, which lives on", async () => {
    const gpu = await GpuContext.open(navigator.gpu);
    const given = gpu.pool.allocate("a result", 16, storage());
    const buffer = gpu.pool.handOver(given);
    expect(gpu.pool.use).toMatchObject({ current: 0, buffers: 0 });
    expect(gpu.pool.holds(buffer)).toBe(false);
    given.release();
    await gpu.checked("A write", () => gpu.device.queue.writeBuffer(buffer, 0, new Float32Array(4)));
    buffer.destroy();
    gpu.dispose();
  });

  test("refuses what the device cannot bind, with the bytes needed and the bytes that fit", async () => {
    const gpu = await testGpu();
    const before = gpu.pool.use;
    const tooMany = gpu.pool.largestBinding + 4;
    expect(() => gpu.pool.allocate("the field “v”", tooMany, storage())).toThrow(
      /“v” needs .*iB .*allows .*iB/,
    );
    expect(gpu.pool.use).toEqual(before);
  });

  test("a scope frees all but what is kept", async () => {
    const gpu = await testGpu();
    const before = gpu.pool.use.current;
    const scope = gpu.scope();
    scope.allocate("temporary", 64, storage());
    const kept = scope.keep(scope.allocate("result", 32, storage()));
    scope.release();
    expect(gpu.pool.use.current).toBe(before + 32);
    kept.release();
    expect(gpu.pool.use.current).toBe(before);
  });
});

describe("pipelines", () => {
  const code =
    "@group(0) @binding(0) var<storage, read_write> out: array<u32>; override k = 1u;\n" +
    "@compute @workgroup_size(1) fn main() { out[0] = k; }";

  test("compile once for each record", async () => {
    const gpu = await testGpu();
    const record = { label: "k", code, entryPoint: "main" };
    expect(gpu.pipelines.get(record)).toBe(gpu.pipelines.get({ ...record }));
    expect(gpu.pipelines.get(record)).not.toBe(gpu.pipelines.get({ ...record, constants: { k: 7 } }));
    const pipeline = await gpu.pipelines.get({ ...record, constants: { k: 7 } });
    const buffer = gpu.pool.allocate("out", 4, storage());
    await gpu.checked("a test kernel", () => {
      const encoder = gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(
        0,
        gpu.device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: [{ binding: 0, resource: { buffer: buffer.buffer } }],
        }),
      );
      pass.dispatchWorkgroups(1);
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
    });
    expect([...(await readU32(gpu, buffer))]).toEqual([7]);
    buffer.release();
  });

  test("quote the line that does not compile", async () => {
    const gpu = await testGpu();
    const broken = {
      label: "broken",
      code: "@compute @workgroup_size(1)\nfn main() { let a: u32 = 1.5; }",
      entryPoint: "main",
    };
    await expect(gpu.pipelines.get(broken)).rejects.toMatchObject({ tag: "ShaderError" });
    await expect(gpu.pipelines.get(broken)).rejects.toThrow(
      /“broken” does not compile: line 2:[\s\S]*let a: u32 = 1\.5/,
    );
  });
});

describe("faults", () => {
  test("a refused submission is an error that names the work", async () => {
    const gpu = await testGpu();
    const work = () =>
      gpu.device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
    await expect(gpu.checked("An impossible buffer", work)).rejects.toThrow(
      /An impossible buffer was refused/,
    );
  });

  test("a lost device ends every wait with one clear error", async () => {
    const gpu = await GpuContext.open(navigator.gpu);
    const waiting = gpu.guard(new Promise(() => {}));
    // What a loss ends may fail before the loss is reported.
    const failing = gpu.guard(Promise.reject(new DOMException("It was unmapped.", "AbortError")));
    gpu.device.destroy();
    const outcomes = await Promise.allSettled([waiting, failing]);
    expect(outcomes).toMatchObject([{ reason: { tag: "DeviceLost" } }, { reason: { tag: "DeviceLost" } }]);
    await expect(gpu.lost).rejects.toMatchObject({ tag: "DeviceLost" });
    expect(gpu.isLost).toBe(true);
  });

  test("a lost device leaves no promise behind that nobody handles", async () => {
    const unhandled: unknown[] = [];
    const note = (event: PromiseRejectionEvent) => unhandled.push(event.reason);
    addEventListener("unhandledrejection", note);
    const gpu = await GpuContext.open(navigator.gpu);
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const [read, other] = ["a", "b"].map((label) => gpu.pool.allocate(label, 16, usage).buffer);
    const outcomes = Promise.allSettled([
      gpu.checked("A read-back", () => gpu.guard(read.mapAsync(GPUMapMode.READ))),
      gpu.checked("Another", () => other.mapAsync(GPUMapMode.READ)),
      gpu.checked("Work that fails", () => {
        throw new Error("It failed.");
      }),
    ]);
    gpu.device.destroy();
    const reasons = (await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason);
    expect(reasons).toMatchObject([{ tag: "DeviceLost" }, { tag: "DeviceLost" }, { message: "It failed." }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    removeEventListener("unhandledrejection", note);
    expect(unhandled).toEqual([]);
  });

  test("what fails on a device that stays fails as it does", async () => {
    const gpu = await testGpu();
    for (const error of [new Error("It failed."), new DOMException("It failed.", "AbortError")]) {
      await expect(gpu.guard(Promise.reject(error))).rejects.toBe(error);
    }
  });

  test("a disposed device is no loss", async () => {
    const gpu = await GpuContext.open(navigator.gpu);
    gpu.dispose();
    const outcome = await Promise.race([
      gpu.lost.catch(() => "lost"),
      new Promise((r) => setTimeout(r, 200, "quiet")),
    ]);
    expect(outcome).toBe("quiet");
  });
});

describe("timing", () => {
  test("measures passes in order", async () => {
    const gpu = await testGpu();
    const timer = new PassTimer(gpu.device, 4);
    expect(timer.isAvailable).toBe(gpu.device.features.has("timestamp-query"));
    const encoder = gpu.device.createCommandEncoder();
    for (let i = 0; i < 3; i++) encoder.beginComputePass({ timestampWrites: timer.next() }).end();
    gpu.device.queue.submit([encoder.finish()]);
    const times = await timer.read();
    expect(times).toHaveLength(timer.isAvailable ? 3 : 0);
    for (const ms of times) expect(ms).toBeGreaterThanOrEqual(0);
    timer.dispose();
  });
});
