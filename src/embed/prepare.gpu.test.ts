import { afterAll, describe, expect, it } from "vitest";
import { expectArraysClose } from "../core/testing/compare.ts";
import type { DeriveEvent } from "./api.ts";
import { derive, prepare, releaseDevice } from "./crinkle.ts";

const dims = [9, 9, 9];
const grid = { dims, origin: [-1, -1, -1], spacing: [0.25, 0.25, 0.25] };
const count = 729;
const squares = (scale: number) =>
  Float32Array.from({ length: count }, (_, i) => {
    const at = (n: number) => (n - 4) / 4;
    return scale * (at(i % 9) ** 2 + at(Math.floor(i / 9) % 9) ** 2 + at(Math.floor(i / 81)) ** 2);
  });
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter!.requestDevice();

afterAll(releaseDevice);

/** Counts what the device makes, pipelines above all: compiling happens there. */
const made = { pipelines: 0, buffers: 0 };
for (const name of ["createComputePipeline", "createComputePipelineAsync"] as const) {
  const create = device[name].bind(device) as (descriptor: GPUComputePipelineDescriptor) => never;
  device[name] = (descriptor) => {
    made.pipelines++;
    return create(descriptor);
  };
}
const createBuffer = device.createBuffer.bind(device);
device.createBuffer = (descriptor) => {
  made.buffers++;
  return createBuffer(descriptor);
};

function bufferOf(values: Float32Array): GPUBuffer {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const buffer = createBuffer({ size: values.byteLength, usage });
  device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
  return buffer;
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

const text = "g = magnitude(grad(f))\nr = sqrt(f)";

async function expected(scale: number) {
  const { fields } = await derive(text, { grid, fields: { f: squares(scale) } }, { device: "cpu" });
  return fields;
}

describe("prepare on a GPU", () => {
  it("sends, computes and gives back arrays each step", async () => {
    const data = { grid, fields: { f: squares(1), unused: squares(1) } };
    const loop = await prepare(text, data, { device: "gpu" });
    for (const scale of [1, 2, 3]) {
      const { fields, report } = await loop.run(scale === 1 ? {} : { f: squares(scale) });
      const due = await expected(scale);
      for (const name of ["g", "r"]) {
        expectArraysClose(fields[name].data, due[name].data, { absolute: 1e-5, relative: 1e-5 }, name);
      }
      expect(report).toMatchObject({ strategy: "fusion", uploads: scale === 1 ? 2 : 1, downloads: 2 });
    }
    const { report } = await loop.run();
    expect(report).toMatchObject({ uploads: 0, uploadedBytes: 0, downloadedBytes: 2 * count * 4 });
    loop.release();
  });

  it("compiles and allocates nothing from the second step on, over buffers that alternate", async () => {
    const buffers = [bufferOf(squares(1)), bufferOf(squares(2))];
    const loop = await prepare(text, { grid, fields: { f: { buffer: buffers[0] } } }, { device });
    await loop.run();
    await loop.run({ f: { buffer: buffers[1] } });
    const before = { ...made };
    for (const step of [0, 1, 2, 3]) {
      device.queue.writeBuffer(buffers[step % 2], 0, squares(step + 1) as Float32Array<ArrayBuffer>);
      const { fields, report } = await loop.run({ f: { buffer: buffers[step % 2] } });
      const due = await expected(step + 1);
      for (const name of ["g", "r"]) {
        const values = await contents(fields[name].buffer);
        expectArraysClose(values, due[name].data, { absolute: 1e-5, relative: 1e-5 }, name);
      }
      expect(report).toMatchObject({ uploads: 0, downloads: 0 });
    }
    expect(made).toEqual(before);
    loop.release();
  });

  it.each([
    ["own", undefined, "trilinear"],
    ["caller's", "flat", undefined],
  ] as const)(
    "contours each step on the %s device as the CPU does, soup: %s",
    async (whose, soup, topology) => {
      const own = whose === "own";
      const surface = { field: "r", colorBy: "g", soup, topology };
      const onCpu = await prepare(text, { grid, fields: { f: squares(1) } }, { device: "cpu", surface });
      const buffer = bufferOf(squares(1));
      const loop = own
        ? await prepare(text, { grid, fields: { f: squares(1) } }, { device: "gpu", surface })
        : await prepare(text, { grid, fields: { f: { buffer } } }, { device, surface });
      for (const scale of [1, 1.5]) {
        const f = squares(scale);
        await onCpu.run({ f });
        if (!own) device.queue.writeBuffer(buffer, 0, f as Float32Array<ArrayBuffer>);
        // Types tell fields on the host from those in buffers, and the loop is one of the two.
        const { fields, report } = await loop.run(own ? ({ f } as never) : {});
        expect(fields).toEqual({});
        expect(report.downloads).toBe(0);
        for (const isovalue of [0.4, 0.7]) {
          const due = await (await onCpu.isosurface(isovalue)).mesh();
          const found = await loop.isosurface(isovalue);
          const mesh = await found.mesh();
          expect(found.triangles).toBe(due.indices.length / 3);
          expect(found.buffers?.vertices.size).toBeGreaterThan(0);
          expectArraysClose(mesh.positions, due.positions, { absolute: 1e-5 }, "positions");
          expectArraysClose(
            mesh.scalars as Float32Array,
            due.scalars as Float32Array,
            { absolute: 1e-4 },
            "colours",
          );
        }
      }
      const former = await loop.isosurface(0.4);
      await loop.run();
      await expect(former.mesh()).rejects.toThrow(/replaced/);
      loop.release();
    },
  );

  it("measures reductions anew each step, and says so", async () => {
    const events: DeriveEvent[] = [];
    const onEvent = (event: DeriveEvent) => void events.push(event);
    const buffer = bufferOf(squares(1));
    const text = "n = f / max(f); m = median(f); h = histogram(f, 3); at = argmax(f); two = 2";
    const loop = await prepare(text, { grid, fields: { f: { buffer } } }, { device, onEvent });
    expect(events).toContainEqual({ kind: "note", text: expect.stringMatching(/reduces fields/) });
    for (const scale of [1, 5]) {
      device.queue.writeBuffer(buffer, 0, squares(scale) as Float32Array<ArrayBuffer>);
      const { fields, numbers, vectors, histograms } = await loop.run();
      const values = await contents(fields.n.buffer);
      expect(Math.max(...values)).toBeCloseTo(1, 6);
      const sorted = squares(scale).sort();
      const middle = (sorted.length - 1) / 2;
      const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
      expect(numbers).toEqual({ m: median, two: 2 });
      expect(vectors.at).toEqual([-1, -1, -1]);
      expect(histograms.h.edges.at(-1)).toBe(sorted.at(-1));
      expect(histograms.h.counts.reduce((a, b) => a + b)).toBe(sorted.length);
    }
    loop.release();
  });

  it("keeps to the memory given, and to strategies that stay on the device", async () => {
    const data = { grid, fields: { f: squares(1) } };
    const attempt = prepare(text, data, { device: "gpu", memory: 2 * count * 4 });
    await expect(attempt).rejects.toMatchObject({ tag: "TooLarge" });
    const streamed = prepare(text, data, { device: "gpu", strategy: "streamed" });
    await expect(streamed).rejects.toMatchObject({
      tag: "BadArgument",
      message: expect.stringMatching(/streamed/),
    });
  });
});
