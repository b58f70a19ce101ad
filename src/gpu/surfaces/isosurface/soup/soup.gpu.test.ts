import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { composedIsosurface } from "../../../../algorithms/surfaces/isosurface.ts";
import { surfaceGrid } from "../../../../algorithms/surfaces/surface-grid.ts";
import { type Field, makeField } from "../../../../core/field.ts";
import type { Grid, Triple } from "../../../../core/grid.ts";
import { noJob } from "../../../../core/job.ts";
import type { Vector } from "../../../../core/primitives/vector.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { createCpuPrimitives } from "../../../../cpu/primitives/cpu-primitives.ts";
import { crowdedGrid, cubeGrid, sample, tangle, torus } from "../../../../cpu/surfaces/testing/fields.ts";
import { randomCase } from "../../../../cpu/surfaces/testing/random-fields.ts";
import { createGridTables } from "../../../fields/grid-tables.ts";
import { uploadField } from "../../../fields/upload.ts";
import { testGpu } from "../../../testing/context.ts";
import type { DrawableSurface } from "../../surface.ts";
import { IsosurfaceExtractor } from "../extractor.ts";
import { createSoupExtractor } from "./extractor.ts";

const gpu = await testGpu();
const welded = await IsosurfaceExtractor.create(gpu);
const [smooth, flat] = await Promise.all([
  createSoupExtractor(gpu, "smooth"),
  createSoupExtractor(gpu, "flat"),
]);
afterAll(() => {
  for (const extractor of [welded, smooth, flat]) extractor.dispose();
});

const floats = ({ data }: Field): Float32Array => Float32Array.from(data, Number);

/** What the composed form makes of it on the CPU. */
async function composed(
  grid: Grid,
  field: Field,
  isovalue: number,
  others: readonly Field[],
  isFlat: boolean,
) {
  const p = createCpuPrimitives();
  const on = surfaceGrid(p, grid);
  const [values, ...fields] = [field, ...others].map((each) => p.fromHost("f32", floats(each)));
  const surface = await composedIsosurface(p, on, values, {
    isovalues: [isovalue],
    fields,
    isFlat,
    hasCells: true,
  });
  return {
    positions: (await p.toHost(surface.positions)).map((x, w) => x + on.center[w % 3]),
    normals: await p.toHost(surface.normals),
    fields: await Promise.all(surface.fields.map((vector) => p.toHost(vector))),
    edges: await p.toHost(surface.ids as Vector<"u32">),
    cells: await p.toHost(surface.cells as Vector<"u32">),
  };
}

/** How high each vertex's triangle is over the longer of two edges: what rounding turns its normal by goes with 1 / height. */
function heights(positions: Float32Array): number[] {
  return Array.from({ length: positions.length / 3 }, (_, v) => {
    const at = 9 * Math.floor(v / 3);
    const [a, b] = [3, 6].map((to) => [0, 1, 2].map((d) => positions[at + to + d] - positions[at + d]));
    const cross = [0, 1, 2].map((d) => a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3]);
    const longest = Math.max(Math.hypot(...a), Math.hypot(...b));
    return longest > 0 ? Math.hypot(...cross) / longest : 0;
  });
}

/** The same triangles in the same order; facets' normals as well as their shapes tell them. */
async function expectAsComposed(
  grid: Grid,
  field: Field,
  isovalues: readonly number[],
  others: readonly Field[],
) {
  const tables = createGridTables(gpu, grid, "node");
  const [sent, ...sentOthers] = await Promise.all(
    [field, ...others].map((each) => uploadField(gpu, grid, each, noJob)),
  );
  let triangles = 0;
  for (const [extractor, isFlat] of [
    [smooth, false],
    [flat, true],
  ] as const) {
    await extractor.setSource({ tables, field: sent, color: sentOthers[0] });
    extractor.extract(isovalues);
    const parts = await extractor.readParts(sentOthers.map((other) => ({ field: other })));
    expect(parts.length).toBe(isovalues.length);
    for (const [i, part] of parts.entries()) {
      const expected = await composed(grid, field, isovalues[i], others, isFlat);
      expect(part.isovalue).toBe(isovalues[i]);
      expect(part.edges).toEqual(expected.edges);
      expect(part.cells).toEqual(expected.cells);
      expect(part.indices).toEqual(expected.edges.map((_, v) => v));
      expectArraysClose(part.positions, expected.positions, { absolute: 1e-6 }, "positions");
      part.fields.forEach((values, f) => {
        expectArraysClose(values, expected.fields[f], { absolute: 2e-6 }, `field ${f}`);
      });
      if (others.length > 0)
        expectArraysClose(part.scalars ?? [], expected.fields[0], { absolute: 2e-6 }, "scalars");
      if (isFlat) {
        const high = heights(expected.positions);
        const weighed = (normals: Float32Array) =>
          normals.map((x, w) => x * (high[Math.floor(w / 3)] || 0.1));
        expectArraysClose(weighed(part.normals), weighed(expected.normals), { absolute: 2e-6 }, "facets");
      } else expectArraysClose(part.normals, expected.normals, { absolute: 2e-5 }, "normals");
      triangles += part.cells.length;
    }
  }
  for (const { buffer } of [tables, sent, ...sentOthers]) buffer.release();
  return triangles / 2;
}

describe("soups are those of the composed isosurface", () => {
  it("with any number of fields, cells and isovalues", async () => {
    const grid = crowdedGrid([13, 12, 11]);
    const others = [sample(grid, torus), sample(grid, (x, y, z) => x - 2 * y * z)];
    expect(await expectAsComposed(grid, sample(grid, tangle), [0.5, 2.25, -9, 0.75], others)).toBeGreaterThan(
      600,
    );
  });

  it.each([
    [2, 2, 2],
    [2, 20, 11],
    [10, 9, 6],
    [200, 3, 3],
  ] as Triple[])("on %d × %d × %d points", async (...dims) => {
    const grid = cubeGrid(dims);
    const plane = sample(grid, (x, y, z) => x + 0.9 * y + 0.8 * z);
    expect(await expectAsComposed(grid, plane, [0.1], [])).toBeGreaterThan(0);
  });

  it("where values equal the isovalue, and triangles have no area", async () => {
    const grid: Grid = { kind: "uniform", dims: [9, 9, 9], origin: [-4, -4, -4], spacing: [1, 1, 1] };
    const octahedron = sample(grid, (x, y, z) => Math.abs(x) + Math.abs(y) + Math.abs(z));
    expect(await expectAsComposed(grid, octahedron, [3, 2], [])).toBeGreaterThan(100);
    const whole = Int8Array.from({ length: 729 }, (_, i) => ((i * 73) % 5) - 2);
    expect(await expectAsComposed(grid, makeField(grid, "f", "node", 1, whole), [0], [])).toBeGreaterThan(
      1000,
    );
  });

  it("with holes where values are not finite", async () => {
    const grid = crowdedGrid([12, 13, 11]);
    const field = sample(grid, tangle);
    for (const at of [700, 911, 1040, 400])
      field.data[at] = at % 2 === 0 ? Number.NaN : Number.POSITIVE_INFINITY;
    expect(await expectAsComposed(grid, field, [0.7], [])).toBeGreaterThan(300);
  });

  it("on any rectilinear grid", async () => {
    await fc.assert(
      fc.asyncProperty(randomCase(), async ({ grid, field, isovalue }) => {
        const tables = createGridTables(gpu, grid, "node");
        const sent = await uploadField(gpu, grid, field, noJob);
        await smooth.setSource({ tables, field: sent });
        smooth.extract(isovalue);
        const [part] = await smooth.readParts([]);
        const expected = await composed(grid, field, isovalue, [], false);
        for (const { buffer } of [tables, sent]) buffer.release();
        expect(part.edges).toEqual(expected.edges);
        expectArraysClose(part.positions, expected.positions, { absolute: 1e-5 }, "positions");
      }),
      { numRuns: 15 },
    );
  });
});

/** Sign flips at every node: every edge is cut, far more than a first guess holds. */
const checkerboard = (grid: Grid) => {
  const data = new Float32Array(14 ** 3);
  for (let i = 0; i < data.length; i++)
    data[i] = ((i % 14) + Math.floor(i / 14) + Math.floor(i / 196)) % 2 === 0 ? 1 : -1;
  return makeField(grid, "f", "node", 1, data);
};

async function words(...buffers: readonly GPUBuffer[]): Promise<Uint32Array[]> {
  const { device } = gpu;
  const size = buffers.reduce((sum, buffer) => sum + buffer.size, 0);
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  let at = 0;
  for (const buffer of buffers) {
    encoder.copyBufferToBuffer(buffer, 0, staging, at, buffer.size);
    at += buffer.size;
  }
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const all = staging.getMappedRange().slice();
  at = 0;
  const read = buffers.map(({ size: bytes }) => {
    at += bytes;
    return new Uint32Array(all.slice(at - bytes, at));
  });
  staging.destroy();
  return read;
}

describe("the buffers of a soup", () => {
  it("grow where they are too small, draw no more than they hold, and then stay", async () => {
    const grid = cubeGrid([14, 14, 14]);
    const host = checkerboard(grid);
    const tables = createGridTables(gpu, grid, "node");
    const field = await uploadField(gpu, grid, host, noJob);
    const buffers: DrawableSurface[] = [];
    const extractor = await createSoupExtractor(gpu, "smooth", {
      onBuffers: (surface) => buffers.push(surface),
    });
    await extractor.setSource({ tables, field });
    extractor.extract(0);
    const { vertices, indices, draw } = buffers[0];
    const [drawn, numbers, records] = await words(draw, indices, vertices);
    expect([...drawn.subarray(0, 5)]).toEqual([numbers.length, 1, 0, 0, 0]);
    expect(numbers).toEqual(numbers.map((_, i) => i));
    expect(records.length).toBe(8 * numbers.length);

    const mesh = await extractor.readMesh();
    const expected = await composed(grid, host, 0, [], false);
    expectArraysClose(mesh.positions, expected.positions, { absolute: 1e-6 }, "positions");
    expect(buffers.length).toBeLessThanOrEqual(3);
    const { triangles, vertices: count, isTruncated } = await extractor.counts();
    expect([triangles, count, isTruncated]).toEqual([
      expected.cells.length,
      3 * expected.cells.length,
      false,
    ]);
    const [whole, all] = await words(buffers.at(-1)!.draw, buffers.at(-1)!.indices);
    expect([...whole.subarray(0, 5)]).toEqual([count, 1, 0, 0, 0]);
    expect(all).toEqual(all.map((_, i) => i));

    const { current, buffers: held } = gpu.pool.use;
    gpu.pool.resetPeak();
    for (let i = 0; i < 10; i++) extractor.extract(0.05 * i);
    await extractor.counts();
    expect(gpu.pool.use).toEqual({ current, peak: current, buffers: held });
    expect((await extractor.readParts([]))[0].isovalue).toBe(0.05 * 9);
    extractor.dispose();
    for (const { buffer } of [tables, field]) buffer.release();
  });

  it("hold few triangles each of many blocks, whose vertices are shared by few", async () => {
    const grid = cubeGrid([56, 28, 28]);
    const field = sample(grid, () => 0);
    for (let k = 2; k < 28; k += 4)
      for (let j = 2; j < 28; j += 4) for (let i = 3; i < 56; i += 8) field.data[i + 56 * (j + 28 * k)] = 1;
    // A corner cell's single triangles: three vertices, no two of which are shared.
    for (const at of [0, 55]) field.data[at] = 1;
    expect(await expectAsComposed(grid, field, [0.5], [])).toBe(7 * 7 * 7 * 8 + 2);
  });

  it("are clipped as they are drawn, and not read back then", async () => {
    const grid = cubeGrid([12, 12, 12]);
    const tables = createGridTables(gpu, grid, "node");
    const field = await uploadField(gpu, grid, sample(grid, tangle), noJob);
    const counts = [];
    for (const extractor of [welded, flat]) {
      await extractor.setSource({ tables, field });
      extractor.extract(0.5);
      extractor.setClip({ origin: [0, 0.1, 0], normal: [1, 0.3, -0.2] });
      counts.push((await extractor.counts()).triangles);
    }
    expect(counts[1]).toBe(counts[0]);
    await expect(flat.readMesh()).rejects.toThrow("Take the clip away");
    await expect(flat.readParts([])).rejects.toThrow("Take the clip away");
    const whole = await welded.counts();
    for (const extractor of [welded, flat]) extractor.setClip(undefined);
    expect((await flat.readMesh()).indices.length / 3).toBeGreaterThan(whole.triangles);
    flat.extract(0.6);
    const reading = flat.readMesh();
    flat.setClip({ origin: [0, 0.1, 0], normal: [1, 0.3, -0.2] });
    await expect(reading).rejects.toThrow("Take the clip away");
    flat.setClip(undefined);
    for (const { buffer } of [tables, field]) buffer.release();
  });
});
