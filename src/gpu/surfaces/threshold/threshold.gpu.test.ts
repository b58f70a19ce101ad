import { afterAll, describe, expect, it } from "vitest";
import type { Range } from "../../../core/closed-range.ts";
import { type Field, makeField } from "../../../core/field.ts";
import type { Grid, Triple } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { countEdges, facetNormal, surfaceArea } from "../../../core/mesh-measures.ts";
import { hashedField, oracleGrid } from "../../../core/testing/hashed.ts";
import { cubeGrid, sample, sphere } from "../../../cpu/surfaces/testing/fields.ts";
import { uploadCompact } from "../../fields/compact-field.ts";
import { testGpu } from "../../testing/context.ts";
import { expectWholeInBlocks } from "../testing/blocks-of-cells.ts";
import { uploaded } from "../testing/upload.ts";
import { createThresholdExtractor } from "./threshold.ts";

const gpu = await testGpu();
const extractor = await createThresholdExtractor(gpu);
afterAll(() => extractor.dispose());

async function kept(
  grid: Grid,
  field: Field,
  range: Range,
  color = field,
  by = extractor,
): Promise<TriangleMesh> {
  const { tables, fields, release } = await uploaded(gpu, grid, { field, color });
  try {
    await by.setSource({ tables, field: fields.field, color: fields.color });
    by.extract(range);
    return await by.readMesh();
  } finally {
    release();
  }
}

/** One value for each position. */
function nodeScalars({ positions, scalars = new Float32Array(0) }: TriangleMesh): number[] {
  const byPosition = new Map<string, number>();
  for (const [v, scalar] of scalars.entries())
    byPosition.set(positions.slice(3 * v, 3 * v + 3).join(), scalar);
  return [...byPosition.values()];
}

const random = (count: number, seed: number) => {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
};

/** Exterior faces of the cells whose corners all lie in the range, counted cell by cell. */
function facesOnCpu([nx, ny, nz]: Triple, data: Float32Array, [low, high]: Range): number {
  const isKept = (i: number, j: number, k: number) => {
    if (i < 0 || j < 0 || k < 0 || i + 2 > nx || j + 2 > ny || k + 2 > nz) return false;
    for (let corner = 0; corner < 8; corner++) {
      const node = i + (corner & 1) + nx * (j + ((corner >> 1) & 1) + ny * (k + (corner >> 2)));
      if (!(data[node] >= low && data[node] <= high) || !Number.isFinite(data[node])) return false;
    }
    return true;
  };
  let faces = 0;
  for (let k = 0; k < nz - 1; k++) {
    for (let j = 0; j < ny - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        if (!isKept(i, j, k)) continue;
        for (const d of [-1, 1]) {
          faces += Number(!isKept(i + d, j, k)) + Number(!isKept(i, j + d, k)) + Number(!isKept(i, j, k + d));
        }
      }
    }
  }
  return faces;
}

/** Cells of n³ nodes over [−1, 1]³ whose corners all lie within the radius. */
function cellsInBall(n: number, radius: number): number {
  const at = (i: number) => -1 + (2 * i) / (n - 1);
  let cells = 0;
  for (let k = 0; k < n - 1; k++) {
    for (let j = 0; j < n - 1; j++) {
      for (let i = 0; i < n - 1; i++) {
        const far = [i, j, k].map((c) => Math.max(Math.abs(at(c)), Math.abs(at(c + 1))));
        if (Math.hypot(...far) <= radius) cells++;
      }
    }
  }
  return cells;
}

/** vtkThreshold (all scalars) and vtkGeometryFilter of VTK 9.1 on `hashedField`; area by vtkMassProperties. */
const oracles = [
  { range: [5, 96], faces: 1068, points: 984, areas: [1068, 5358.6875], scalars: 49720 },
  { range: [6, 101], faces: 1166, points: 1069, areas: [1166, 5790.40625], scalars: 56443 },
  { range: [0, 99], faces: 748, points: 756, areas: [748, 3918.125], scalars: 36914 },
] as const;

describe("as VTK's threshold and its geometry", () => {
  it.each(oracles)("for $range", async ({ range, faces, points, areas, scalars }) => {
    for (const [at, kind] of (["uniform", "rectilinear"] as const).entries()) {
      const grid = oracleGrid(kind, [13, 11, 9]);
      const mesh = await kept(grid, hashedField(grid), range);
      expect(mesh.indices.length).toBe(6 * faces);
      expect(surfaceArea(mesh) / areas[at]).toBeCloseTo(1, 6);
      const values = nodeScalars(mesh);
      expect(values.length).toBe(points);
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(scalars);
    }
  });
});

describe("the kept cells' outside", () => {
  it("is made of blocks of cells, each beside what is kept around it, whose triangles are the whole's", async () => {
    const grid = oracleGrid("rectilinear", [13, 11, 9]);
    await expectWholeInBlocks(grid.dims, async (cells) => {
      const own = await createThresholdExtractor(gpu, {}, cells);
      const mesh = await kept(grid, hashedField(grid), [6, 101], undefined, own);
      own.dispose();
      return mesh;
    });
  });

  it("has one vertex for each corner and direction, and faces away from the cells", async () => {
    const grid = cubeGrid([11, 7, 6]);
    const field = makeField(grid, "f", "node", 1, new Float32Array(462).fill(3));
    const mesh = await kept(grid, field, [3, 3]);
    expect(surfaceArea(mesh)).toBeCloseTo(24, 5);
    expect(mesh.indices.length).toBe(12 * (10 * 6 + 6 * 5 + 5 * 10));
    expect(mesh.positions.length).toBe(6 * (11 * 7 + 7 * 6 + 6 * 11));
    expect(countEdges(mesh).irregular).toBe(0);
    for (let t = 0; t < mesh.indices.length / 3; t++) {
      const v = 3 * mesh.indices[3 * t];
      const normal = mesh.normals.subarray(v, v + 3);
      const axis = normal.findIndex((c) => c !== 0);
      expect(Math.abs(normal[axis])).toBe(1);
      expect(mesh.positions[v + axis]).toBe(normal[axis]);
      expect(facetNormal(mesh, t)[axis] * normal[axis]).toBeGreaterThan(0);
    }
  });

  it("is that of the cells one by one, with values that are not finite, on grids of all sizes", async () => {
    for (const [at, dims] of (
      [
        [2, 2, 2],
        [9, 5, 5],
        [10, 6, 2],
        [17, 9, 13],
      ] as const
    ).entries()) {
      const grid = cubeGrid(dims);
      const data = random(dims[0] * dims[1] * dims[2], at + 1);
      const holes = random(data.length, at + 100);
      holes.forEach((hole, i) => {
        if (hole > 0.97) data[i] = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][i % 3];
      });
      for (const range of [
        [0, 0.9],
        [0.05, 1],
        [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      ] as const) {
        const mesh = await kept(grid, makeField(grid, "f", "node", 1, data), range);
        expect(mesh.indices.length / 6).toBe(facesOnCpu(dims, data, range));
      }
    }
  });

  it("passes over blocks amid kept ones, but for those beside a hole", async () => {
    const dims = [41, 22, 25] as const;
    const grid = cubeGrid(dims);
    const data = random(dims[0] * dims[1] * dims[2], 7);
    const node = (i: number, j: number, k: number) => i + dims[0] * (j + dims[1] * k);
    for (const [hole, value] of [
      [undefined, 0],
      [node(20, 11, 12), Number.NaN],
      [node(16, 8, 8), Number.POSITIVE_INFINITY],
      [node(23, 12, 15), 5],
    ] as const) {
      const values = data.slice();
      if (hole !== undefined) values[hole] = value;
      const mesh = await kept(grid, makeField(grid, "f", "node", 1, values), [0, 1]);
      expect(mesh.indices.length / 6).toBe(facesOnCpu(dims, values, [0, 1]));
    }
  });

  it("encloses a ball's volume", async () => {
    const grid = cubeGrid([24, 24, 24]);
    const mesh = await kept(grid, sample(grid, sphere), [0, 0.8]);
    const { positions, indices } = mesh;
    let volume = 0;
    for (let t = 0; t < indices.length / 3; t++) {
      const normal = facetNormal(mesh, t);
      for (let axis = 0; axis < 3; axis++)
        volume += (positions[3 * indices[3 * t] + axis] * normal[axis]) / 6;
    }
    const cells = cellsInBall(24, 0.8);
    expect(volume).toBeCloseTo(cells * (2 / 23) ** 3, 4);
  });

  it("takes its colour from another field, and its range to the last bit from values with an offset", async () => {
    const grid = cubeGrid([4, 4, 4]);
    const data = Float64Array.from({ length: 64 }, (_, i) => 101325 + i / 1024);
    const field = makeField(grid, "p", "node", 1, data);
    const numbers = makeField(grid, "i", "node", 1, Float32Array.from(data.keys()));
    const mesh = await kept(grid, field, [101325, 101325 + 47 / 1024], numbers);
    expect(mesh.indices.length).toBe(6 * (2 * 9 + 2 * 6 + 2 * 6));
    const outer = [...data.keys()].filter((i) => i < 48 && ![21, 22, 25, 26].includes(i));
    expect(nodeScalars(mesh).sort((a, b) => a - b)).toEqual(outer);
    const less = await kept(grid, field, [101325, 101325 + 46.9 / 1024], numbers);
    expect(nodeScalars(less)).not.toContain(47);
    expect(nodeScalars(less)).toContain(26);
  });

  it("is empty where no cell is kept, and on flat grids", async () => {
    const grid = cubeGrid([5, 5, 5]);
    expect((await kept(grid, hashedField(grid), [50, 50.5])).indices.length).toBe(0);
    expect((await kept(grid, hashedField(grid), [90, 10])).indices.length).toBe(0);
    const flat: Grid = { kind: "uniform", dims: [5, 4, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
    expect((await kept(flat, hashedField(flat), [0, 101])).indices.length).toBe(0);
  });
});

it("takes small integers as they are stored", async () => {
  const grid = cubeGrid([11, 7, 9]);
  const hashed = hashedField(grid).data as Float32Array;
  for (const array of [Uint8Array, Int8Array, Uint16Array, Int16Array]) {
    const shift = array === Int8Array || array === Int16Array ? -60 : 0;
    const host = makeField(grid, "f", "node", 1, new array(hashed.map((value) => value + shift)));
    const { tables, release } = await uploaded(gpu, grid, {});
    const field = await uploadCompact(gpu, grid, host, noJob);
    await extractor.setSource({ tables, field });
    const range = [6.5 + shift, 100.2 + shift] as const;
    extractor.extract(range);
    const expected = facesOnCpu(grid.dims, Float32Array.from(host.data as Int16Array), range);
    expect(expected).toBeGreaterThan(0);
    expect((await extractor.readMesh()).indices.length).toBe(6 * expected);
    field.buffer.release();
    release();
  }
});

it("grows its buffers, keeps them while the range is dragged, and gives all memory back", async () => {
  const before = gpu.pool.use;
  let allocations = 0;
  const own = await createThresholdExtractor(gpu, { onBuffers: () => allocations++ });
  const grid = cubeGrid([14, 14, 14]);
  const { tables, fields, release } = await uploaded(gpu, grid, { field: hashedField(grid) });
  await own.setSource({ tables, field: fields.field });
  own.extract([6, 101]);
  const { triangles, isTruncated } = await own.counts();
  expect(isTruncated).toBe(false);
  expect(allocations).toBe(2);
  gpu.pool.resetPeak();
  const { current } = gpu.pool.use;
  for (let low = 30; low >= 6; low -= 2) own.extract([low, 101]);
  expect((await own.counts()).triangles).toBe(triangles);
  expect(gpu.pool.use.peak).toBe(current);
  own.dispose();
  release();
  expect(gpu.pool.use.current).toBe(before.current);
  expect(gpu.pool.use.buffers).toBe(before.buffers);
});
