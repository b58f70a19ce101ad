import { afterAll, describe, expect, it } from "vitest";
import { describeFacets } from "../../../../algorithms/surfaces/testing/describe-facets.ts";
import { type Field, makeField } from "../../../../core/field.ts";
import type { Grid } from "../../../../core/grid.ts";
import { noJob } from "../../../../core/job.ts";
import { joinMeshes } from "../../../../core/join-meshes.ts";
import { randoms } from "../../../../core/marching-cubes/trilinear/testing/cells.ts";
import type { TriangleMesh } from "../../../../core/mesh.ts";
import { countEdges, surfaceArea } from "../../../../core/mesh-measures.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { type IsosurfaceOptions, isosurface } from "../../../../cpu/surfaces/isosurface.ts";
import { isosurfaceSoup } from "../../../../cpu/surfaces/soup.ts";
import { crowdedGrid, cubeGrid, sample } from "../../../../cpu/surfaces/testing/fields.ts";
import { meshTopology } from "../../../../cpu/surfaces/testing/mesh-topology.ts";
import { surfaceRange } from "../../../../engine/layers/surface-range.ts";
import { fitsCompact, uploadCompact } from "../../../fields/compact-field.ts";
import { createGridTables } from "../../../fields/grid-tables.ts";
import { uploadField } from "../../../fields/upload.ts";
import { testGpu } from "../../../testing/context.ts";
import { isSweep } from "../../../testing/sweep.ts";
import type { DrawableSurface } from "../../surface.ts";
import { uploaded } from "../../testing/upload.ts";
import { IsosurfaceExtractor } from "../extractor.ts";
import { createSoupExtractor } from "../soup/extractor.ts";

const gpu = await testGpu();
const extractor = await IsosurfaceExtractor.create(gpu, {}, "trilinear");
afterAll(() => extractor.dispose());

type Numbers = (random: () => number, parity: number) => number;

const anyNumber: Numbers = (random) => Math.fround(2 * random() - 1);
const wholeNumber: Numbers = (random) => Math.floor(7 * random()) - 3;
/** Of signs that alternate from node to node, which makes for the hardest cells. */
const alternating: Numbers = (random, parity) =>
  Math.fround((parity === 0 ? 1 : -1) * (random() < 0.1 ? -1 : 1) * random());

/** Numbers inside, −1 at the border, so that surfaces are closed. */
function closedField(grid: Grid, seed: number, number: Numbers): Field {
  const [nx, ny, nz] = grid.dims;
  const random = randoms(seed);
  const data = Float32Array.from({ length: nx * ny * nz }, (_, p) => {
    const at = [p % nx, Math.floor(p / nx) % ny, Math.floor(p / (nx * ny))];
    const isBorder = at.some((i, d) => i === 0 || i === grid.dims[d] - 1);
    const value = number(random, (at[0] + at[1] + at[2]) & 1);
    return isBorder ? -1 : value;
  });
  return makeField(grid, "f", "node", 1, data);
}

async function onGpu(
  grid: Grid,
  field: Field,
  isovalues: readonly number[],
  { color }: IsosurfaceOptions = {},
): Promise<TriangleMesh> {
  const tables = createGridTables(gpu, grid, "node");
  const sent = await (fitsCompact(field) ? uploadCompact : uploadField)(gpu, grid, field, noJob);
  const sentColor = color && (await uploadField(gpu, grid, color, noJob));
  try {
    await extractor.setSource({ tables, field: sent, color: sentColor });
    extractor.extract(isovalues);
    return await extractor.readMesh();
  } finally {
    for (const { buffer } of [tables, sent, ...(sentColor ? [sentColor] : [])]) buffer.release();
  }
}

/** The same triangles of the same edges and inner vertices, and these where f32 arithmetic puts them. */
async function expectAsOnCpu(
  grid: Grid,
  field: Field,
  isovalues: readonly number[],
  color?: Field,
): Promise<TriangleMesh> {
  const expected = joinMeshes(
    await Promise.all(
      isovalues.map((isovalue) => isosurface(grid, field, isovalue, { color, topology: "trilinear" })),
    ),
  );
  const got = await onGpu(grid, field, isovalues, { color });
  expectArraysClose(got.indices, expected.indices, {}, "indices");
  expectArraysClose(got.positions, expected.positions, { absolute: 1e-5 }, "positions");
  // Where the gradient cancels to next to nothing, rounding turns it.
  const turned = expected.normals.filter((normal, i) => Math.abs(normal - got.normals[i]) > 1e-3);
  expect(turned.length).toBeLessThanOrEqual(expected.normals.length / 500);
  if (expected.scalars) expectArraysClose(got.scalars ?? [], expected.scalars, { absolute: 1e-4 }, "scalars");
  return got;
}

describeFacets("trilinear", (grid, field, isovalue) => onGpu(grid, field, [isovalue]));

const kinds = [
  ["any numbers", anyNumber],
  ["whole numbers, with their ties", wholeNumber],
  ["numbers that alternate", alternating],
] as const;

describe("the trilinear topology is the CPU's", () => {
  it.each(kinds)("for %s, closed", async (_, number) => {
    for (let seed = 1; seed <= (isSweep ? 100 : 1); seed++) {
      const grid = seed % 2 === 1 ? cubeGrid([16, 14, 13]) : crowdedGrid([13, 16, 14]);
      const mesh = await expectAsOnCpu(grid, closedField(grid, seed, number), [0]);
      expect(mesh.indices.length).toBeGreaterThan(10_000);
      expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
    }
  });

  it("for several isovalues, coloured, on a grid that is not uniform", async () => {
    const grid = crowdedGrid([12, 9, 11]);
    const color = { ...closedField(grid, 3, anyNumber), name: "c" };
    await expectAsOnCpu(grid, closedField(grid, 2, anyNumber), [-0.7, 0.1, 0.3], color);
  });

  it("for bytes as they are stored, at a value between them and at one of them", async () => {
    const grid = cubeGrid([13, 12, 11]);
    const random = randoms(4);
    const data = Uint8Array.from({ length: 13 * 12 * 11 }, () => 124 + Math.floor(9 * random()));
    const field = makeField(grid, "f", "node", 1, data);
    await expectAsOnCpu(grid, field, [127.5]);
    await expectAsOnCpu(grid, field, [128]);
  });

  it("for cells apart from each other, published as examples of hard ones", async () => {
    // As in the tests of a cell.
    const cells: readonly (readonly [isovalue: number, corners: readonly number[]])[] = [
      [0.0387, [-0.96, 0.793, 0.917, -0.423, -0.935, -0.85, -0.0367, -0.657]],
      [9.8588, [10.297, 9.451, 9.548, 10.648, 9.815, 9.312, 9.81, 10.745]],
      [0.0097, [0.455, 0.801, 0.65, -0.974, -0.134, -0.0845, -0.826, 0.433]],
      [-1.8061, [-15.65, 2.903, 24.546, -24.527, 21.674, -4.497, -19.789, -15.559]],
      [0.0293, [0.547, -0.421, -0.643, 0.856, -0.261, 0.206, 0.237, -0.183]],
      [1007.4, [1069, 843, 950, 1133, 958, 1029, 1198, 946]],
      [-1.766, [-7.7, -3.22, -5.44, 15.61, 12.76, -4.47, -11.72, -9.23]],
      [-0.6, [-3.427, 0.621, 4.481, -1.956, 2.304, -1.042, -3.511, -6.45]],
      [1.10918, [-0.1, -6.11, 2, 10.2, 10.8, 1.8, -8.2, -0.18]],
      [0.0708, [-3.378, 0.473, 2.543, 7.877, 4.387, -1.5, -4.21, -1.002]],
      [-1.3064, [2.747, -3.392, -12.53, 0.4315, -6.925, 2.522, 14.695, -10.073]],
      [0.0293, [0.5205, -0.8398, -0.4675, 0.9378, -0.8258, 0.5067, 0.3453, -0.8611]],
    ];
    const grid = cubeGrid([3 * cells.length - 1, 2, 2]);
    const data = new Float32Array(4 * grid.dims[0]).fill(Number.NaN);
    for (const [i, [isovalue, corners]] of cells.entries()) {
      for (const [c, value] of corners.entries())
        data[3 * i + (c & 1) + grid.dims[0] * (c >> 1)] = value - isovalue;
    }
    const mesh = await expectAsOnCpu(grid, makeField(grid, "f", "node", 1, data), [0]);
    const { components, euler, borders } = meshTopology(mesh);
    expect([components, euler, borders]).toEqual([15, 10, 20]);
  });

  it("as a soup, cell by cell", async () => {
    const grid = cubeGrid([12, 11, 13]);
    const field = closedField(grid, 5, anyNumber);
    const up = await uploaded(gpu, grid, { field });
    const soup = await createSoupExtractor(gpu, "smooth", {}, "trilinear");
    await soup.setSource({ tables: up.tables, field: up.fields.field });
    soup.extract(0);
    const got = await soup.readMesh();
    const expected = await isosurfaceSoup(grid, field, 0, "smooth", { topology: "trilinear" });
    expectArraysClose(got.indices, expected.indices, {}, "indices");
    expectArraysClose(got.positions, expected.positions, { absolute: 1e-5 }, "positions");
    soup.dispose();
    up.release();
  });

  it("with fields between the nodes around vertices inside cells, and triangles' cells", async () => {
    const grid = crowdedGrid([11, 9, 10]);
    const linear = (x: number, y: number, z: number) => x + 2 * y - 3 * z;
    const up = await uploaded(gpu, grid, {
      field: closedField(grid, 6, alternating),
      other: sample(grid, linear),
    });
    await extractor.setSource({ tables: up.tables, field: up.fields.field });
    extractor.extract([0, -0.05]);
    for (const part of await extractor.readParts([{ field: up.fields.other }])) {
      const { positions, edges, fields, cells, indices } = part;
      const inner = edges.filter((edge) => edge >= 3 * 11 * 9 * 10);
      expect(inner.length).toBeGreaterThan(20);
      const place = (v: number) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]] as const;
      const expected = Float32Array.from(edges, (_, v) => linear(...place(v)));
      expectArraysClose(fields[0], expected, { absolute: 1e-5 }, "values");
      for (const [t, cell] of cells.entries()) {
        const at = [cell % 10, Math.floor(cell / 10) % 8, Math.floor(cell / 80)];
        for (const vertex of indices.subarray(3 * t, 3 * t + 3)) {
          for (const [d, x] of place(vertex).entries()) {
            expect(x).toBeGreaterThan(grid.axes[d][at[d]] - 1e-6);
            expect(x).toBeLessThan(grid.axes[d][at[d] + 1] + 1e-6);
          }
        }
      }
    }
    up.release();
  });

  it.each([1e30, 1e-30])("for numbers of %d's size", async (size) => {
    const grid = cubeGrid([10, 9, 11]);
    const field = closedField(grid, 7, (random, parity) => Math.fround(size * alternating(random, parity)));
    const data = (field.data as Float32Array).map((value) => (value === -1 ? -size : value));
    await expectAsOnCpu(grid, { ...field, data }, [0]);
  });
});

it("is clipped with its vertices inside cells, and coloured by them", async () => {
  const grid = cubeGrid([12, 11, 13]);
  const up = await uploaded(gpu, grid, {
    field: closedField(grid, 9, anyNumber),
    color: sample(grid, (_x, _y, z) => z),
  });
  await extractor.setSource({ tables: up.tables, field: up.fields.field, color: up.fields.color });
  extractor.extract([0, 0.1]);
  const whole = await extractor.readMesh();
  extractor.setClip({ origin: [0, 0, 0.1], normal: [0, 0, 1] });
  const clipped = await extractor.readMesh();
  const heights = clipped.positions.filter((_, w) => w % 3 === 2);
  expect(heights.length).toBeGreaterThan(1000);
  expect(Math.min(...heights)).toBeCloseTo(0.1, 6);
  expectArraysClose(clipped.scalars ?? [], heights, { absolute: 1e-5 }, "scalars");
  expect(surfaceArea(clipped)).toBeLessThan(0.6 * surfaceArea(whole));
  const [low, high] = (await surfaceRange(gpu, extractor, 0)) ?? [];
  expect(low).toBeCloseTo(0.1, 5);
  expect(high).toBeCloseTo(Math.max(...heights), 5);
  extractor.setClip(undefined);
  up.release();
});

it("draws nothing beyond buffers that are too small, and all of it once they have grown", async () => {
  const grid = cubeGrid([24, 22, 20]);
  const field = closedField(grid, 8, alternating);
  const up = await uploaded(gpu, grid, { field });
  const { largestBinding } = gpu.pool;
  const small = await IsosurfaceExtractor.create(gpu, {}, "trilinear");
  Object.defineProperty(gpu.pool, "largestBinding", { value: 100_000, configurable: true });
  try {
    await small.setSource({ tables: up.tables, field: up.fields.field });
    small.extract([0, 0.5]);
    expect((await small.counts()).isTruncated).toBe(true);
    const { indices, vertices, draw } = small.drawable as DrawableSurface;
    const [drawn] = await wordsOf(draw, 20);
    expect(drawn).toBe(indices.size / 4);
    const words = await wordsOf(indices, indices.size);
    expect(words.every((vertex) => vertex < vertices.size / 32)).toBe(true);
  } finally {
    Object.defineProperty(gpu.pool, "largestBinding", { value: largestBinding, configurable: true });
  }
  small.dispose();
  up.release();
  await expectAsOnCpu(grid, field, [0, 0.5]);
});

async function wordsOf(buffer: GPUBuffer, size: number): Promise<Uint32Array> {
  const { COPY_DST, MAP_READ } = GPUBufferUsage;
  const staging = gpu.device.createBuffer({ size, usage: COPY_DST | MAP_READ });
  const encoder = gpu.device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  gpu.device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return words;
}
