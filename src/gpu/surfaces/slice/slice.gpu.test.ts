import { afterAll, expect, it } from "vitest";
import { describeSlice } from "../../../algorithms/surfaces/testing/describe-slice.ts";
import type { Field } from "../../../core/field.ts";
import { type Grid, nodeCoordinates, type Triple } from "../../../core/grid.ts";
import type { SliceRequest } from "../../../core/slice-place.ts";
import { cubeGrid, sample } from "../../../cpu/surfaces/testing/fields.ts";
import { testGpu } from "../../testing/context.ts";
import { expectWholeInBlocks } from "../testing/blocks-of-cells.ts";
import { uploaded } from "../testing/upload.ts";
import { createSliceExtractor } from "./slice.ts";

const gpu = await testGpu();
const extractor = await createSliceExtractor(gpu);
afterAll(() => extractor.dispose());

const linear = (x: number, y: number, z: number) => 1 + x - 2 * y + 3 * z;

async function sliced(grid: Grid, host: Field, request: SliceRequest, by = extractor) {
  const { tables, fields, release } = await uploaded(gpu, grid, { host });
  try {
    await by.setSource({ grid, tables, color: fields.host });
    by.extract(request);
    return await by.readMesh();
  } finally {
    release();
  }
}

describeSlice("fused", (grid, host, request) => sliced(grid, host, request));

it("is made of blocks of cells, whose triangles are the whole's", async () => {
  const grid = cubeGrid([9, 9, 9]);
  const host = sample(grid, linear);
  // Between nodes, on nodes where blocks meet, and on the last ones.
  const requests = [
    { axis: 0, position: 0.1 },
    { axis: 1, position: nodeCoordinates(grid, 1)[4] },
    { axis: 2, position: nodeCoordinates(grid, 2)[8] },
  ];
  for (const request of requests) {
    await expectWholeInBlocks(grid.dims, async (cells) => {
      const own = await createSliceExtractor(gpu, {}, cells);
      const mesh = await sliced(grid, host, request, own);
      own.dispose();
      return mesh;
    });
  }
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

it("refuses colours of another grid", async () => {
  const grid = cubeGrid([3, 3, 3]);
  const { tables, release } = await uploaded(gpu, grid, {});
  const other = await uploaded(gpu, cubeGrid([3, 3, 4] as Triple), {
    f: sample(cubeGrid([3, 3, 4]), linear),
  });
  await extractor.setSource({ grid, tables });
  await expect(extractor.setSource({ grid, tables, color: other.fields.f })).rejects.toThrow("same grid");
  release();
  other.release();
});
