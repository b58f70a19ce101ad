import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { capitalized } from "../core/format.ts";
import { expectArraysClose } from "../core/testing/compare.ts";
import { type DeriveEvent, derive, releaseDevice } from "./crinkle.ts";

const dims = [6, 5, 4];
const grid = { dims, spacing: [0.5, 1, 2] };
const count = 120;
const ramp = Float32Array.from({ length: count }, (_, i) => i / 8);
const wave = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(i));
const device = await openDevice();

afterAll(releaseDevice);

async function openDevice(): Promise<GPUDevice> {
  const adapter = await navigator.gpu.requestAdapter();
  return adapter!.requestDevice();
}

let created: GPUBuffer[] = [];
const createBuffer = device.createBuffer.bind(device);
device.createBuffer = (descriptor) => {
  const buffer = createBuffer(descriptor);
  created.push(buffer);
  return buffer;
};
beforeEach(() => {
  created = [];
});

function bufferOf(values: Float32Array, before = 0, usage = GPUBufferUsage.STORAGE, on = device): GPUBuffer {
  const size = before + values.byteLength;
  const buffer = on.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_DST });
  on.queue.writeBuffer(buffer, before, values as Float32Array<ArrayBuffer>);
  return buffer;
}

/** Interleaved components as planes. */
function planes(values: Float32Array, components: number): Float32Array {
  const n = values.length / components;
  return values.map((_, i) => values[(i % n) * components + Math.floor(i / n)]);
}

async function contents(buffer: GPUBuffer): Promise<Float32Array> {
  const staging = createBuffer({
    size: buffer.size,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const values = new Float32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return values;
}

const reducing =
  "a = quantile(f, 0.3); b = entropy(v[0], 8); c = min_position(v[1]); h = histogram(2 * f, 5)";

describe("derive on a GPU", () => {
  const text = "q = q_criterion(v)\ns = f * magnitude(v)";
  const data = { grid, fields: { v: wave, f: ramp } };

  it.each(["roundtrip", "staged", "fusion", "streamed", "auto"] as const)(
    "gives arrays for arrays by %s, as the CPU does",
    async (strategy) => {
      const onCpu = await derive(text, data, { device: "cpu" });
      const events: DeriveEvent[] = [];
      const onEvent = (event: DeriveEvent) => events.push(event);
      const { fields, report } = await derive(text, data, { device: "gpu", strategy, onEvent });
      for (const name of ["q", "s"]) {
        expectArraysClose(
          fields[name].data,
          onCpu.fields[name].data,
          { absolute: 1e-5, relative: 1e-5 },
          name,
        );
      }
      expect(report.device).toBe("gpu");
      if (strategy !== "auto") expect(report.strategy).toBe(strategy);
      else {
        expect(report.reason).toMatch(new RegExp(`^${report.strategy} moves .+ the fastest by prediction$`));
        const text = `${capitalized(report.reason as string)}.`;
        expect(events).toContainEqual({ kind: "note", text });
      }
      expect(report.uploads).toBeGreaterThanOrEqual(3);
      expect(report.downloads).toBeGreaterThanOrEqual(2);
    },
  );

  it.each(["roundtrip", "staged", "fusion", "streamed"] as const)(
    "gives numbers, vectors and histograms by %s, as the CPU does",
    async (strategy) => {
      const onCpu = await derive(reducing, data, { device: "cpu" });
      const { numbers, vectors, histograms, report } = await derive(reducing, data, {
        device: "gpu",
        strategy,
      });
      expect([numbers, vectors, histograms]).toEqual([onCpu.numbers, onCpu.vectors, onCpu.histograms]);
      expect(Object.keys(numbers)).toEqual(["a", "b"]);
      expect(report.strategy).toBe(strategy);
    },
  );

  it("leaves to the CPU what single precision would blur, and says so, unless a GPU is asked for", async () => {
    const off = Float64Array.from({ length: count }, (_, i) => 1e8 + Math.sin(i));
    const share = Float64Array.from({ length: count }, (_, i) => Math.cos(i) ** 2);
    const data = { grid, fields: { off, share } };
    const text = "r = off * 2 - 200000000";
    const few = "fewer than four significant digits of the range of “r”";
    const auto = await derive(text, data);
    expect(auto.report.device).toBe("cpu");
    expect(auto.fields.r.data).toEqual(off.map((value) => value * 2 - 200000000));
    expect(auto.notes).toEqual([`Computed on the CPU, because single precision would leave ${few}.`]);
    const onGpu = await derive(text, data, { device: "gpu" });
    expect(onGpu.report.device).toBe("gpu");
    expect(onGpu.notes).toEqual([
      `The GPU's single precision leaves ${few}; the CPU computes in double precision.`,
    ]);
    for (const plain of ["off - 100000000", "sqrt(share) - avg(share)"]) {
      const { report, notes } = await derive(plain, data);
      expect([report.device, notes]).toEqual(["gpu", []]);
    }
  });

  it("keeps to the memory given", async () => {
    const options = { device: "gpu", memory: 64 } as const;
    await expect(derive(text, data, options)).rejects.toMatchObject({ tag: "TooLarge" });
  });
});

describe("derive on the caller's buffers", () => {
  it.each(["staged", "fusion", "auto"] as const)("gives buffers for buffers by %s", async (strategy) => {
    const text = "q = q_criterion(v)\ns = f * magnitude(v)";
    const fields = {
      v: { buffer: bufferOf(planes(wave, 3)), components: 3 },
      f: { buffer: bufferOf(ramp, 512), offset: 512 },
    };
    const inputs = created;
    created = [];
    const { fields: found, report } = await derive(text, { grid, fields }, { device, strategy });
    const host = await derive(text, { grid, fields: { v: wave, f: ramp } }, { device: "cpu" });
    for (const name of ["q", "s"]) {
      expect(found[name]).toMatchObject({ components: 1, centering: "node" });
      const values = await contents(found[name].buffer);
      expectArraysClose(values, host.fields[name].data, { absolute: 1e-5, relative: 1e-5 }, name);
    }
    expect(report).toMatchObject({ uploads: 1, uploadedBytes: 3 * 15 * 4, downloads: 0, downloadedBytes: 0 });
    expect(report.strategy).toBe(strategy === "auto" ? "fusion" : strategy);
    expect(report.peakBytes).toBeGreaterThanOrEqual(6 * count * 4 + 180);
    for (const buffer of inputs) expect(buffer.mapState).toBe("unmapped");
    for (const { buffer } of Object.values(found)) buffer.destroy();
  });

  it("gives numbers, vectors and histograms beside buffers", async () => {
    const fields = {
      v: { buffer: bufferOf(planes(wave, 3)), components: 3 },
      f: { buffer: bufferOf(ramp) },
    };
    const found = await derive(`${reducing}\ns = f - median(f)`, { grid, fields }, { device });
    const host = await derive(
      `${reducing}\ns = f - median(f)`,
      { grid, fields: { v: wave, f: ramp } },
      { device: "cpu" },
    );
    expect(Object.keys(found.fields)).toEqual(["s"]);
    expect([found.numbers, found.vectors, found.histograms]).toEqual([
      host.numbers,
      host.vectors,
      host.histograms,
    ]);
    expectArraysClose(await contents(found.fields.s.buffer), host.fields.s.data, { absolute: 1e-5 });
    found.fields.s.buffer.destroy();
  });

  it("reads no field back and sends none", async () => {
    const f = { buffer: bufferOf(ramp) };
    created = [];
    const { fields, report } = await derive("f + 1", { grid, fields: { f } }, { device });
    const large = created.filter(({ size }) => size >= ramp.byteLength);
    expect(large).toEqual([fields.result.buffer]);
    expect(report).toMatchObject({ uploads: 0, kernels: 1, peakBytes: 2 * count * 4 });
    expect(await contents(fields.result.buffer)).toEqual(ramp.map((value) => value + 1));
  });

  it("counts what it will hold before it allocates", async () => {
    const fields = { f: { buffer: bufferOf(ramp) } };
    created = [];
    const options = { device, memory: 2 * count * 4 - 1 };
    await expect(derive("f + 1", { grid, fields }, options)).rejects.toMatchObject({ tag: "TooLarge" });
    expect(created).toEqual([]);
    await derive("f + 1", { grid, fields }, { device, memory: 2 * count * 4 });
  });

  it("refuses what it cannot read, by name", async () => {
    const other = await openDevice();
    const destroyed = bufferOf(ramp);
    destroyed.destroy();
    const mapped = device.createBuffer({ size: 480, usage: GPUBufferUsage.STORAGE, mappedAtCreation: true });
    const good = bufferOf(ramp);
    const cases: readonly [object, RegExp][] = [
      [{ buffer: bufferOf(ramp, 0, GPUBufferUsage.COPY_SRC) }, /“f”.*without the usage STORAGE/],
      [{ buffer: bufferOf(ramp.slice(1)) }, /“f” has 476 bytes where 120 nodes of 1 f32 need 480/],
      [{ buffer: good, components: 3 }, /need 1,440/],
      [{ buffer: good, offset: 4 }, /begins at byte 4.*multiple of 256/],
      [{ buffer: good, offset: 1024 }, /has 0 bytes/],
      [{ buffer: mapped }, /mapped.*unmap/],
      [{ buffer: destroyed }, /“f”.*destroyed/],
      [{ buffer: bufferOf(ramp, 0, GPUBufferUsage.STORAGE, other) }, /“f”.*device given/],
    ];
    for (const [f, message] of cases) {
      const call = derive("f", { grid, fields: { f: f as { buffer: GPUBuffer } } }, { device });
      await expect(call).rejects.toMatchObject({
        tag: "BadArgument",
        message: expect.stringMatching(message),
      });
    }
    const data = { grid, fields: { f: { buffer: good } } };
    const without = derive("f", data, { device: "auto" } as never);
    await expect(without).rejects.toMatchObject({
      message: expect.stringMatching(/option device is “auto”/),
    });
    const trips = derive("f", data, { device, strategy: "roundtrip" });
    await expect(trips).rejects.toMatchObject({ message: expect.stringMatching(/roundtrip.*stay on it/) });
    const mixed = derive("f", { grid, fields: { f: { buffer: good }, g: ramp } as never }, { device });
    await expect(mixed).rejects.toMatchObject({ message: expect.stringMatching(/“g” is an array and “f”/) });
    other.destroy();
    await other.lost;
    const lost = derive("f", { grid, fields: { f: ramp } }, { device: other });
    await expect(lost).rejects.toMatchObject({ tag: "DeviceLost" });
  });
});
