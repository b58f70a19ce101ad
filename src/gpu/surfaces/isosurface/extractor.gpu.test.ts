import { describe, expect, it } from "vitest";
import { makeField } from "../../../core/field.ts";
import type { Triple } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import { isosurface } from "../../../cpu/surfaces/isosurface.ts";
import { cubeGrid, sample, sphere, tangle } from "../../../cpu/surfaces/testing/fields.ts";
import { surfaceRange } from "../../../engine/layers/surface-range.ts";
import { createGridTables } from "../../fields/grid-tables.ts";
import { uploadField } from "../../fields/upload.ts";
import { testGpu } from "../../testing/context.ts";
import { withoutMemory } from "../../testing/refuse-memory.ts";
import type { DrawableSurface, SurfaceCounts } from "../surface.ts";
import { IsosurfaceExtractor } from "./extractor.ts";

const gpu = await testGpu();

/** Sign flips at every node: every edge is cut, far more than a first guess holds. */
const checkerboard = (n: number) =>
  Float32Array.from({ length: n ** 3 }, (_, i) => {
    const parity = (i % n) + (Math.floor(i / n) % n) + Math.floor(i / (n * n));
    return parity % 2 === 0 ? 1 : -1;
  });

async function prepared(dims: Triple, data?: Float32Array) {
  const grid = cubeGrid(dims);
  const host = data ? makeField(grid, "f", "node", 1, data) : sample(grid, tangle);
  const tables = createGridTables(gpu, grid, "node");
  const field = await uploadField(gpu, grid, host, noJob);
  return {
    grid,
    host,
    source: { tables, field },
    release() {
      tables.buffer.release();
      field.buffer.release();
    },
  };
}

async function watched() {
  const buffers: DrawableSurface[] = [];
  const counts: SurfaceCounts[] = [];
  const extractor = await IsosurfaceExtractor.create(gpu, {
    onBuffers: (surface) => buffers.push(surface),
    onCounts: (latest) => counts.push(latest),
  });
  return { extractor, buffers, counts };
}

describe("growing", () => {
  it("replaces buffers that were too small, notifies the viewer, and keeps every triangle", async () => {
    const { grid, host, source, release } = await prepared([14, 14, 14], checkerboard(14));
    const { extractor, buffers, counts } = await watched();
    await extractor.setSource(source);
    expect(buffers.length).toBe(1);
    extractor.extract(0);
    const mesh = await extractor.readMesh();
    expect(buffers.length).toBe(2);
    expect(buffers[1].vertices).not.toBe(buffers[0].vertices);
    expect(buffers[1].draw).toBe(buffers[0].draw);
    expect(extractor.drawable).toEqual(buffers[1]);
    expect(mesh.indices).toEqual((await isosurface(grid, host, 0)).indices);
    expect(counts).toEqual([
      {
        isovalue: 0,
        triangles: mesh.indices.length / 3,
        vertices: counts[0].vertices,
        isTruncated: false,
      },
    ]);
    expect(counts[0].vertices).toBe(mesh.positions.length / 3);
    extractor.dispose();
    release();
  });

  it("draws no index beyond the buffers while they are too small", async () => {
    const { source, release } = await prepared([14, 14, 14], checkerboard(14));
    const { extractor, buffers } = await watched();
    await extractor.setSource(source);
    extractor.extract(0);
    const [first] = buffers;
    const { indices, vertices, draw } = first;
    const staging = gpu.device.createBuffer({
      size: 20 + indices.size,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    const encoder = gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(draw, 0, staging, 0, 20);
    encoder.copyBufferToBuffer(indices, 0, staging, 20, indices.size);
    gpu.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(staging.getMappedRange());
    expect([...words.subarray(0, 5)]).toEqual([indices.size / 4, 1, 0, 0, 0]);
    expect(words.subarray(5).every((v) => v < vertices.size / 32)).toBe(true);
    staging.destroy();
    await extractor.counts();
    extractor.dispose();
    release();
  });

  it("says so where the device cannot hold the surface", async () => {
    const { source, release } = await prepared([14, 14, 14], checkerboard(14));
    const { extractor, counts } = await watched();
    const { largestBinding } = gpu.pool;
    const small = 100_000;
    Object.defineProperty(gpu.pool, "largestBinding", { value: small, configurable: true });
    try {
      await extractor.setSource(source);
      extractor.extract(0);
      expect((await extractor.counts()).isTruncated).toBe(true);
      expect(counts.at(-1)?.isTruncated).toBe(true);
      expect(extractor.drawable?.vertices.size).toBeLessThanOrEqual(small);
      await expect(extractor.readMesh()).rejects.toThrow("triangles, which");
    } finally {
      Object.defineProperty(gpu.pool, "largestBinding", { value: largestBinding, configurable: true });
    }
    extractor.dispose();
    release();
  });
});

describe("reuse", () => {
  it("follows an isovalue that is dragged, with no allocation and few counts", async () => {
    const { grid, host, source, release } = await prepared([20, 20, 20]);
    const { extractor, buffers, counts } = await watched();
    await extractor.setSource(source);
    extractor.extract(0.5);
    await extractor.counts();
    const { current, buffers: held } = gpu.pool.use;
    gpu.pool.resetPeak();
    for (let i = 0; i < 40; i++) extractor.extract(0.3 + 0.01 * i);
    const last = await extractor.counts();
    expect(last.isovalue).toBe(0.3 + 0.01 * 39);
    expect(counts.at(-1)).toEqual(last);
    expect(counts.length).toBeLessThan(10);
    expect(gpu.pool.use).toEqual({ current, peak: current, buffers: held });
    expect(buffers.length).toBeLessThanOrEqual(2);
    const expected = await isosurface(grid, host, 0.3 + 0.01 * 39);
    expect((await extractor.readMesh()).indices).toEqual(expected.indices);
    extractor.dispose();
    release();
  });

  it("changes the field, its values, the extents and the colour", async () => {
    const first = await prepared([12, 12, 12]);
    const second = await prepared([9, 14, 11]);
    const { extractor, buffers } = await watched();
    await extractor.setSource(first.source);
    extractor.extract(0.5);
    await extractor.setSource(second.source);
    expect((await extractor.counts()).triangles).toBe(0);
    extractor.extract(1);
    expect((await extractor.readMesh()).indices).toEqual(
      (await isosurface(second.grid, second.host, 1)).indices,
    );

    const known = buffers.length;
    const other = sample(second.grid, sphere);
    gpu.device.queue.writeBuffer(
      second.source.field.buffer.buffer,
      0,
      other.data as Float32Array<ArrayBuffer>,
    );
    await extractor.setSource(second.source);
    extractor.extract(0.8);
    const mesh = await extractor.readMesh();
    expect(mesh.indices).toEqual((await isosurface(second.grid, other, 0.8)).indices);
    expect(mesh.scalars).toBeUndefined();
    expect(buffers.length).toBe(known);

    extractor.setColor(second.source.field);
    extractor.extract(0.8);
    const colored = await extractor.readMesh();
    expect(colored.scalars?.every((s) => Math.abs(s - 0.8) < 1e-6)).toBe(true);
    extractor.dispose();
    first.release();
    second.release();
  });

  it("gives equal meshes for equal requests", async () => {
    const { source, release } = await prepared([18, 18, 18]);
    const { extractor } = await watched();
    await extractor.setSource(source);
    extractor.extract(0.5);
    const mesh = await extractor.readMesh();
    extractor.extract(0.4);
    extractor.extract(0.5);
    expect(await extractor.readMesh()).toEqual(mesh);
    extractor.dispose();
    release();
  });

  it("stays as it is while suspended, and then goes on", async () => {
    const { grid, host, source, release } = await prepared([14, 14, 14], checkerboard(14));
    const { extractor, buffers } = await watched();
    await extractor.setSource(source);
    extractor.extract(0);
    extractor.suspend();
    await expect(extractor.readMesh()).rejects.toThrow("cancelled");
    expect(buffers.length).toBe(1);
    extractor.resume();
    expect((await extractor.readMesh()).indices).toEqual((await isosurface(grid, host, 0)).indices);
    expect(buffers.length).toBe(2);
    extractor.dispose();
    release();
  });

  it("lets fields go at any moment once it is suspended", async () => {
    const faults: string[] = [];
    const listen = ({ error }: GPUUncapturedErrorEvent) => faults.push(error.message);
    gpu.device.addEventListener("uncapturederror", listen);
    for (const delay of [0, 1, 5, 20]) {
      const { source, release } = await prepared([14, 14, 14], checkerboard(14));
      const { extractor } = await watched();
      await extractor.setSource(source);
      extractor.extract(0);
      await new Promise((resolve) => setTimeout(resolve, delay));
      extractor.suspend();
      release();
      await new Promise((resolve) => setTimeout(resolve, 30));
      extractor.dispose();
    }
    await gpu.idle();
    gpu.device.removeEventListener("uncapturederror", listen);
    expect(faults).toEqual([]);
  });

  it("gives all memory back", async () => {
    const before = gpu.pool.use;
    const { source, release } = await prepared([16, 16, 16]);
    const { extractor } = await watched();
    await extractor.setSource(source);
    extractor.extract(0.5);
    extractor.dispose();
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(gpu.pool.use.current).toBe(before.current);
    expect(gpu.pool.use.buffers).toBe(before.buffers);
  });

  it("records extractions into another's pass", async () => {
    const { source, release } = await prepared([16, 16, 16]);
    const { extractor } = await watched();
    await extractor.setSource(source);
    extractor.extract(0.5);
    const mesh = await extractor.readMesh();
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    extractor.record(pass, 3);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
    expect(await extractor.readMesh()).toEqual(mesh);
    extractor.dispose();
    release();
  });
});

describe("misuse", () => {
  it("is refused in a sentence", async () => {
    const { source, grid, release } = await prepared([6, 6, 6]);
    const { extractor } = await watched();
    expect(() => extractor.extract(0)).toThrow("no field");
    const cells = await uploadField(gpu, grid, makeField(grid, "p", "cell", 1, new Float32Array(125)), noJob);
    await expect(extractor.setSource({ ...source, field: cells })).rejects.toThrow("recenter(p)");
    await expect(extractor.setSource({ ...source, component: 3 })).rejects.toThrow("component 3");
    const other = await prepared([7, 6, 6]);
    await expect(extractor.setSource({ ...source, color: other.source.field })).rejects.toThrow("same grid");
    await extractor.setSource(source);
    expect(() => extractor.extract(Number.NaN)).toThrow("finite");
    extractor.dispose();
    cells.buffer.release();
    other.release();
    release();
  });
});

describe("the range of the colour field over the surface", () => {
  it("is that of the vertices' scalars, with the field's offset", async () => {
    const { grid, source, release } = await prepared([17, 17, 17]);
    const color = sample(grid, (x, y, z) => 101325 + x + 0.1 * y * z);
    const wide = makeField(grid, "p", "node", 1, Float64Array.from(color.data as Float32Array));
    const field = await uploadField(gpu, grid, wide, noJob);
    const { extractor } = await watched();
    await extractor.setSource({ ...source, color: field });
    extractor.extract(0.5);
    const { scalars } = await extractor.readMesh();
    const sorted = [...(scalars ?? [])].sort((a, b) => a - b);
    const range = await surfaceRange(gpu, extractor, 0);
    expect(range?.[0]).toBeCloseTo(sorted[0], 2);
    expect(range?.[1]).toBeCloseTo(sorted.at(-1)!, 2);
    const [low, high] = (await surfaceRange(gpu, extractor, 0.1))!;
    const share = (from: number, to: number) =>
      sorted.filter((value) => value >= from && value <= to).length / sorted.length;
    expect(share(low, high)).toBeGreaterThan(0.75);
    expect(share(low, high)).toBeLessThan(0.9);
    extractor.dispose();
    field.buffer.release();
    release();
  });

  it("says so where there is no memory to read it back", async () => {
    const { source, release } = await prepared([9, 9, 9]);
    const { extractor } = await watched();
    await extractor.setSource({ ...source, color: source.field });
    extractor.extract(0.5);
    await extractor.counts();
    const before = gpu.pool.use.current;
    for (const [refused, read] of [
      ["surface scalars", () => surfaceRange(gpu, extractor, 0.1)],
      ["read-back of isosurface: vertices", () => extractor.readMesh()],
    ] as const) {
      const refuses = ({ label }: GPUBufferDescriptor) => label === refused;
      const uncaptured = await withoutMemory(gpu, refuses, () =>
        expect(read(), refused).rejects.toMatchObject({ tag: "OutOfMemory" }),
      );
      expect([refused, uncaptured]).toEqual([refused, []]);
      expect(gpu.pool.use.current).toBe(before);
    }
    extractor.dispose();
    release();
  });

  it("is none where the surface is empty or has no finite color", async () => {
    const { grid, source, release } = await prepared([9, 9, 9]);
    const holes = makeField(grid, "n", "node", 1, new Float32Array(9 ** 3).fill(Number.NaN));
    const field = await uploadField(gpu, grid, holes, noJob);
    const { extractor } = await watched();
    await extractor.setSource({ ...source, color: field });
    extractor.extract(0.5);
    expect(await surfaceRange(gpu, extractor, 0.01)).toBeUndefined();
    extractor.extract(1e9);
    expect(await surfaceRange(gpu, extractor, 0.01)).toBeUndefined();
    extractor.dispose();
    field.buffer.release();
    release();
  });
});
