import { afterAll, expect, it } from "vitest";
import { describeCut } from "../../../algorithms/surfaces/testing/describe-cut.ts";
import type { Field } from "../../../core/field.ts";
import type { Grid, Triple } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { cubeGrid } from "../../../cpu/surfaces/testing/fields.ts";
import { testGpu } from "../../testing/context.ts";
import { expectWholeInBlocks } from "../testing/blocks-of-cells.ts";
import { uploaded } from "../testing/upload.ts";
import { createCutExtractor } from "./cut.ts";
import type { Cutter } from "./implicit.ts";

const gpu = await testGpu();
const extractor = await createCutExtractor(gpu);
afterAll(() => extractor.dispose());

const plane = (origin: Triple, normal: Triple): Cutter => ({ kind: "plane", plane: { origin, normal } });
const sphere = (center: Triple, radius: number): Cutter => ({ kind: "sphere", center, radius });

async function cut(grid: Grid, cutter: Cutter, field?: Field, by = extractor): Promise<TriangleMesh> {
  const { tables, fields, release } = await uploaded(gpu, grid, field ? { field } : {});
  try {
    await by.setSource({ tables, color: "field" in fields ? fields.field : undefined });
    by.extract(cutter);
    return await by.readMesh();
  } finally {
    release();
  }
}

describeCut("fused", (grid, cutter, field) => cut(grid, cutter, field));

it("is made of blocks of cells, whose triangles are the whole's", async () => {
  const grid = cubeGrid([13, 11, 9]);
  for (const cutter of [plane([0.1, 0, 0.2], [1, 2, 3]), sphere([0, 0.1, 0], 0.7)]) {
    await expectWholeInBlocks(grid.dims, async (cells) => {
      const own = await createCutExtractor(gpu, {}, cells);
      const mesh = await cut(grid, cutter, undefined, own);
      own.dispose();
      return mesh;
    });
  }
});

it("follows a plane that is dragged, with no allocation, grows where it must, and gives all memory back", async () => {
  const before = gpu.pool.use;
  let allocations = 0;
  const own = await createCutExtractor(gpu, { onBuffers: () => allocations++ });
  const grid = cubeGrid([20, 20, 20]);
  const { tables, release } = await uploaded(gpu, grid, {});
  await own.setSource({ tables });
  own.extract(plane([0, 0, 0], [1, 1, 1]));
  await own.counts();
  const known = allocations;
  gpu.pool.resetPeak();
  const { current } = gpu.pool.use;
  for (let i = 0; i < 10; i++) own.extract(plane([0.01 * i, 0, 0], [1, 1, 1]));
  await own.counts();
  expect(gpu.pool.use.peak).toBe(current);
  own.extract(sphere([0, 0, 0], 1.2));
  expect((await own.readMesh()).indices.length).toBeGreaterThan(3000);
  expect(allocations).toBe(known + 1);
  own.dispose();
  release();
  expect(gpu.pool.use.current).toBe(before.current);
  expect(gpu.pool.use.buffers).toBe(before.buffers);
});
