import { afterAll, describe, expect, it } from "vitest";
import { makeField } from "../../../core/field.ts";
import type { Triple } from "../../../core/grid.ts";
import type { Plane } from "../../../core/layers.ts";
import { countEdges, eulerCharacteristic, surfaceArea } from "../../../core/mesh-measures.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { hashedField, oracleGrid } from "../../../core/testing/hashed.ts";
import { cubeGrid, sample, sphere } from "../../../cpu/surfaces/testing/fields.ts";
import { surfaceRange } from "../../../engine/layers/surface-range.ts";
import { testGpu } from "../../testing/context.ts";
import { createCutExtractor } from "../cut/cut.ts";
import { IsosurfaceExtractor } from "../isosurface/extractor.ts";
import { createSliceExtractor } from "../slice/slice.ts";
import { uploaded } from "../testing/upload.ts";
import { createThresholdExtractor } from "../threshold/threshold.ts";

const gpu = await testGpu();
const isosurface = await IsosurfaceExtractor.create(gpu);
afterAll(() => isosurface.dispose());

const plane = (origin: Triple, normal: Triple): Plane => ({ origin, normal });
const reversed = ({ origin, normal }: Plane): Plane => ({
  origin,
  normal: [-normal[0], -normal[1], -normal[2]],
});
const side = ({ origin, normal }: Plane, positions: Float32Array, v: number) =>
  [0, 1, 2].reduce((sum, axis) => sum + (positions[3 * v + axis] - origin[axis]) * normal[axis], 0);

/** A sphere of radius 0.8 coloured by a linear function, on the shared extractor. */
async function ball<T>(work: () => Promise<T>): Promise<T> {
  const grid = cubeGrid([15, 14, 13]);
  const linear = sample(grid, (x, y, z) => 2 + x - 3 * y + z);
  const { tables, fields, release } = await uploaded(gpu, grid, { field: sample(grid, sphere), linear });
  try {
    await isosurface.setSource({ tables, field: fields.field, color: fields.linear });
    isosurface.extract(0.8);
    return await work();
  } finally {
    isosurface.setClip(undefined);
    release();
  }
}

it("reads nothing back of several surfaces that are clipped away", async () => {
  await ball(async () => {
    isosurface.setClip(plane([5, 0, 0], [1, 0, 0]));
    isosurface.extract([0.7, 0.8]);
    await isosurface.counts();
    const { downloads } = gpu.counters;
    expect((await isosurface.readMesh()).indices.length).toBe(0);
    expect(gpu.counters.downloads).toBe(downloads);
  });
});

/** vtkClipPolyData of VTK 9.1 on the triangles of vtkThreshold's cells (0 … 99) with vtkGeometryFilter. */
const oracles = [
  { kind: "uniform", area: 381.43565683903654 },
  { kind: "rectilinear", area: 2625.077725780205 },
] as const;

it.each(oracles)("leaves the area that VTK leaves of a threshold on a $kind grid", async ({ kind, area }) => {
  const extractor = await createThresholdExtractor(gpu);
  const grid = oracleGrid(kind, [13, 11, 9]);
  const { tables, fields, release } = await uploaded(gpu, grid, { field: hashedField(grid) });
  await extractor.setSource({ tables, field: fields.field });
  extractor.setClip(plane([5.6, 4.1, 3.3], [1, -0.7, 0.45]));
  extractor.extract([0, 99]);
  expect(surfaceArea(await extractor.readMesh()) / area).toBeCloseTo(1, 5);
  extractor.dispose();
  release();
});

describe("a clipped sphere", () => {
  const planes = [
    plane([0.1, 0, 0.05], [1, 2, -0.5]),
    plane([0, 0, 0.3], [0, 0, 1]),
    plane([0, 1 / 7, 0], [0, -1, 0]),
  ];

  it("is closed but for its one border on the plane, and both sides make the whole", async () => {
    await ball(async () => {
      const whole = await isosurface.readMesh();
      for (const cutter of planes) {
        const areas = [];
        for (const kept of [cutter, reversed(cutter)]) {
          isosurface.setClip(kept);
          const mesh = await isosurface.readMesh();
          const { positions, normals, scalars = new Float32Array(0) } = mesh;
          const { boundary, irregular } = countEdges(mesh);
          expect(irregular).toBe(0);
          expect(eulerCharacteristic(mesh)).toBe(1);
          let onPlane = 0;
          for (let v = 0; v < positions.length / 3; v++) {
            const distance = side(kept, positions, v);
            expect(distance).toBeGreaterThan(-1e-6);
            if (distance < 1e-6) onPlane++;
            expect(Math.hypot(...normals.subarray(3 * v, 3 * v + 3))).toBeCloseTo(1, 5);
          }
          expect(onPlane).toBe(boundary);
          const expected = scalars.map(
            (_, v) => 2 + positions[3 * v] - 3 * positions[3 * v + 1] + positions[3 * v + 2],
          );
          expectArraysClose(scalars, expected, { absolute: 3e-6 }, "scalars");
          areas.push(surfaceArea(mesh));
        }
        expect(areas[0] + areas[1]).toBeCloseTo(surfaceArea(whole), 5);
      }
    });
  });

  it("is the whole before planes on one side and nothing before those on the other", async () => {
    await ball(async () => {
      const whole = await isosurface.readMesh();
      isosurface.setClip(plane([-2, 0, 0], [1, 0, 0]));
      expect(await isosurface.readMesh()).toEqual(whole);
      isosurface.setClip(plane([-2, 0, 0], [-1, 0, 0]));
      expect((await isosurface.readMesh()).indices.length).toBe(0);
      expect((await isosurface.counts()).triangles).toBe(0);
      expect(await surfaceRange(gpu, isosurface, 0)).toBeUndefined();
      isosurface.setClip(undefined);
      expect(await isosurface.readMesh()).toEqual(whole);
    });
  });

  it("has its own range of colours and its own counts", async () => {
    await ball(async () => {
      const whole = await isosurface.counts();
      isosurface.setClip(plane([0, 0, 0.5], [0, 0, 1]));
      const mesh = await isosurface.readMesh();
      const range = (await surfaceRange(gpu, isosurface, 0)) ?? [];
      expectArraysClose(range, [Math.min(...(mesh.scalars ?? [])), Math.max(...(mesh.scalars ?? []))], {
        absolute: 1e-6,
      });
      const { triangles } = await isosurface.counts();
      expect(triangles).toBe(mesh.indices.length / 3);
      expect(triangles).toBeLessThan(whole.triangles / 2);
    });
  });

  it("stays clipped when the isovalue changes, with several isovalues, and when the source does", async () => {
    await ball(async () => {
      const cap = (radius: number, height: number) => 2 * Math.PI * radius * (radius - height);
      isosurface.setClip(plane([0, 0, 0.3], [0, 0, 1]));
      isosurface.extract(0.7);
      expect(surfaceArea(await isosurface.readMesh()) / cap(0.7, 0.3)).toBeCloseTo(1, 1);
      isosurface.extract([0.5, 0.9]);
      const both = await isosurface.readMesh();
      expect(surfaceArea(both) / (cap(0.5, 0.3) + cap(0.9, 0.3))).toBeCloseTo(1, 1);
      expect(countEdges(both).irregular).toBe(0);
      expect(eulerCharacteristic(both)).toBe(2);
      const grid = cubeGrid([20, 9, 11]);
      const other = await uploaded(gpu, grid, { field: sample(grid, sphere) });
      await isosurface.setSource({ tables: other.tables, field: other.fields.field });
      isosurface.extract(0.8);
      expect(surfaceArea(await isosurface.readMesh()) / cap(0.8, 0.3)).toBeCloseTo(1, 1);
      other.release();
    });
  });
});

it("keeps vertices on the plane, and makes no triangle without area there", async () => {
  const extractor = await createSliceExtractor(gpu);
  const grid = cubeGrid([7, 5, 3]);
  const { tables, release } = await uploaded(gpu, grid, {});
  await extractor.setSource({ grid, tables });
  extractor.extract({ axis: 2, position: 0.2 });
  extractor.setClip(plane([0, 0, 0], [1, 0, 0]));
  const mesh = await extractor.readMesh();
  expect([mesh.positions.length / 3, mesh.indices.length / 3]).toEqual([4 * 5, 2 * 3 * 4]);
  // Along the cells' diagonals on one side, across the others on the other.
  extractor.setClip(plane([1 / 3, 0, 0], [3, 2, 0]));
  const slanted = await extractor.readMesh();
  expect(surfaceArea(slanted)).toBeCloseTo(4 / 3, 5);
  extractor.setClip(plane([0, 0, 0.2], [0, 0, 1]));
  expect((await extractor.readMesh()).indices.length).toBe(6 * 6 * 4);
  extractor.dispose();
  release();
});

it("clips cuts and their values that are no numbers", async () => {
  const extractor = await createCutExtractor(gpu);
  const grid = cubeGrid([5, 5, 5]);
  const field = makeField(grid, "f", "node", 1, new Float32Array(125).fill(Number.NaN));
  const { tables, fields, release } = await uploaded(gpu, grid, { field });
  await extractor.setSource({ tables, color: fields.field });
  extractor.extract({ kind: "plane", plane: plane([0, 0, 0.1], [0, 0, 1]) });
  extractor.setClip(plane([0.3, 0, 0], [1, 0, 0]));
  const mesh = await extractor.readMesh();
  expect(surfaceArea(mesh)).toBeCloseTo(1.4, 5);
  expect(mesh.scalars?.every(Number.isNaN)).toBe(true);
  extractor.dispose();
  release();
});

it("says which buffers to draw, drags with no allocation, grows, and gives all memory back", async () => {
  const before = gpu.pool.use;
  const draws: GPUBuffer[] = [];
  const extractor = await IsosurfaceExtractor.create(gpu, { onBuffers: ({ draw }) => draws.push(draw) });
  const n = 14;
  const grid = cubeGrid([n, n, n]);
  const parity = (i: number) => (i % n) + (Math.floor(i / n) % n) + Math.floor(i / (n * n));
  const data = Float32Array.from({ length: n ** 3 }, (_, i) => (parity(i) % 2 === 0 ? 1 : -1));
  const field = makeField(grid, "f", "node", 1, data);
  const { tables, fields, release } = await uploaded(gpu, grid, { field });
  await extractor.setSource({ tables, field: fields.field });
  extractor.setClip(plane([0, 0, -1], [0.1, 0.2, 1]));
  extractor.extract(0);
  const { triangles, isTruncated } = await extractor.counts();
  expect(isTruncated).toBe(false);
  expect(triangles).toBeGreaterThan(8000);
  expect(new Set(draws).size).toBe(2);
  expect(extractor.drawable?.draw).toBe(draws.at(-1));
  const held = gpu.pool.use.buffers;
  const known = draws.length;
  gpu.pool.resetPeak();
  const { current } = gpu.pool.use;
  for (let i = 0; i < 20; i++) extractor.setClip(plane([0, 0, -0.9 + 0.05 * i], [0.1, 0.2, 1]));
  extractor.suspend();
  extractor.setClip(plane([0, 0, -0.5], [0, 0, 1]));
  const half = await extractor.counts();
  expect(half.triangles).toBeLessThan(triangles);
  expect(gpu.pool.use.peak).toBe(current);
  expect(draws.length).toBe(known);
  extractor.setClip(undefined);
  expect(extractor.drawable?.draw).toBe(draws[0]);
  expect(gpu.pool.use.buffers).toBe(held - 1);
  expect((await extractor.counts()).triangles).toBeGreaterThan(triangles);
  extractor.setClip(plane([0, 0, 0], [0, 0, 1]));
  extractor.dispose();
  release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(gpu.pool.use.current).toBe(before.current);
  expect(gpu.pool.use.buffers).toBe(before.buffers);
});

it("refuses what is no plane", () => {
  expect(() => isosurface.setClip(plane([0, 0, 0], [0, 0, 0]))).toThrow("no plane");
});
