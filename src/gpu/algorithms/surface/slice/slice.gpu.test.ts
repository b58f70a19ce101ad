import { afterAll, expect, it } from "vitest";
import { countEdges, facetNormal, surfaceArea } from "../../../../algorithms/isosurface/measures.ts";
import { crowdedGrid, cubeGrid, sample } from "../../../../algorithms/isosurface/testing/fields.ts";
import { makeField } from "../../../../core/field.ts";
import { type Grid, nodeCoordinates, type Triple } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { testGpu } from "../../../testing/context.ts";
import { uploaded } from "../testing/upload.ts";
import { createSliceExtractor } from "./slice.ts";

const gpu = await testGpu();
const extractor = await createSliceExtractor(gpu);
afterAll(() => extractor.dispose());

const ulp = 2 ** -23;
const linear = (x: number, y: number, z: number) => 1 + x - 2 * y + 3 * z;

async function sliced(grid: Grid, data: Float32Array | undefined, axis: number, position: number) {
  const host = data ? makeField(grid, "f", "node", 1, data) : sample(grid, linear);
  const { tables, fields, release } = await uploaded(gpu, grid, { host });
  try {
    await extractor.setSource({ grid, tables, color: fields.host });
    extractor.extract({ axis, position });
    return await extractor.readMesh();
  } finally {
    release();
  }
}

it.each([
  ["uniform", cubeGrid([7, 9, 5])],
  ["rectilinear", crowdedGrid([8, 5, 6])],
] as const)("spans a %s grid across each axis, facing along it, with the field's values", async (_, grid) => {
  for (let axis = 0; axis < 3; axis++) {
    const coordinates = nodeCoordinates(grid, axis);
    const places = [coordinates[0], coordinates[2], 0.3 * coordinates[2] + 0.7 * coordinates[3], 1];
    for (const position of places) {
      const mesh = await sliced(grid, undefined, axis, position);
      const [nu, nv] = [grid.dims[(axis + 1) % 3], grid.dims[(axis + 2) % 3]];
      expect(mesh.positions.length).toBe(3 * nu * nv);
      expect(mesh.indices.length).toBe(6 * (nu - 1) * (nv - 1));
      expect(surfaceArea(mesh)).toBeCloseTo(4, 5);
      expect(countEdges(mesh)).toMatchObject({ boundary: 2 * (nu + nv - 2), irregular: 0 });
      const { positions, scalars = [], normals } = mesh;
      const due = scalars.map?.((_, v) =>
        linear(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]),
      );
      expectArraysClose(scalars, due ?? [], { absolute: 20 * ulp }, "scalars");
      for (let v = 0; v < nu * nv; v++) {
        expect(positions[3 * v + axis]).toBe(Math.fround(position));
        expect([...normals.subarray(3 * v, 3 * v + 3)]).toEqual([0, 1, 2].map((a) => (a === axis ? 1 : 0)));
      }
      for (let t = 0; t < mesh.indices.length / 3; t++) expect(facetNormal(mesh, t)[axis]).toBeGreaterThan(0);
    }
  }
});

it("has a node plane's own values there, whatever lies in the next", async () => {
  const grid = cubeGrid([3, 3, 3]);
  const data = Float32Array.from({ length: 27 }, (_, i) => (i < 9 ? i : Number.NaN));
  data[4] = Number.POSITIVE_INFINITY;
  expect([...((await sliced(grid, data, 2, -1)).scalars ?? [])]).toEqual([...data.subarray(0, 9)]);
  const above = await sliced(grid, data, 2, -0.5);
  expect(above.scalars?.every(Number.isNaN)).toBe(true);
  expect(above.indices.length).toBe(24);
});

it("shows a grid that is flat across the axis, and nothing where there is no cell or no grid", async () => {
  const flat: Grid = { kind: "uniform", dims: [4, 3, 1], origin: [0, 0, 5], spacing: [1, 1, 1] };
  expect((await sliced(flat, undefined, 2, 5)).indices.length).toBe(6 * 6);
  expect((await sliced(flat, undefined, 2, 5.1)).indices.length).toBe(0);
  expect((await sliced(flat, undefined, 0, 1.5)).indices.length).toBe(0);
  const grid = cubeGrid([3, 3, 3]);
  expect((await sliced(grid, undefined, 1, 1.01)).indices.length).toBe(0);
  expect((await sliced(grid, undefined, 1, -1.01)).indices.length).toBe(0);
});

it("moves with no allocation, across any axis, and gives all memory back", async () => {
  const before = gpu.pool.use;
  const own = await createSliceExtractor(gpu);
  const grid = cubeGrid([4, 60, 50]);
  const { tables, release } = await uploaded(gpu, grid, {});
  await own.setSource({ grid, tables });
  own.extract({ axis: 1, position: 0 });
  await own.counts();
  gpu.pool.resetPeak();
  const { current } = gpu.pool.use;
  for (let i = 0; i < 12; i++) own.extract({ axis: i % 3, position: 0.02 * i });
  own.extract({ axis: 0, position: 0.1 });
  const counts = await own.counts();
  expect(counts).toEqual({ isovalue: undefined, triangles: 2 * 59 * 49, vertices: 3000, isTruncated: false });
  expect(gpu.pool.use.peak).toBe(current);
  expect((await own.readMesh()).scalars).toBeUndefined();
  own.dispose();
  release();
  expect(gpu.pool.use.current).toBe(before.current);
  expect(gpu.pool.use.buffers).toBe(before.buffers);
});

it("refuses what it cannot slice", async () => {
  const grid = cubeGrid([3, 3, 3]);
  const { tables, release } = await uploaded(gpu, grid, {});
  const other = await uploaded(gpu, cubeGrid([3, 3, 4] as Triple), {
    f: sample(cubeGrid([3, 3, 4]), linear),
  });
  await extractor.setSource({ grid, tables });
  expect(() => extractor.extract({ axis: 3, position: 0 })).toThrow("no axis 3");
  expect(() => extractor.extract({ axis: 0, position: Number.NaN })).toThrow("not a finite number");
  await expect(extractor.setSource({ grid, tables, color: other.fields.f })).rejects.toThrow("same grid");
  release();
  other.release();
});
