import { expect, it } from "vitest";
import { isosurface } from "../../../algorithms/isosurface/isosurface.ts";
import { countEdges } from "../../../algorithms/isosurface/measures.ts";
import { cubeGrid, sample, tangle } from "../../../algorithms/isosurface/testing/fields.ts";
import { unattended } from "../../../core/job.ts";
import { createGridTables } from "../../fields/grid-tables.ts";
import { uploadField } from "../../fields/upload.ts";
import { testGpu } from "../../testing/context.ts";
import { IsosurfaceExtractor } from "./extractor.ts";

it("gives the tangle's 160 triangles and 72 vertices", async () => {
  const gpu = await testGpu();
  const grid = cubeGrid([5, 5, 5]);
  const field = sample(grid, tangle);
  const tables = createGridTables(gpu, grid, "node");
  const gpuField = await uploadField(gpu, grid, field, unattended);
  const extractor = await IsosurfaceExtractor.create(gpu);
  await extractor.setSource({ tables, field: gpuField });
  extractor.extract(0.5);
  const mesh = await extractor.readMesh();
  expect([mesh.indices.length / 3, mesh.positions.length / 3]).toEqual([160, 72]);
  expect(countEdges(mesh)).toEqual({ edges: 240, boundary: 0, irregular: 0 });
  const due = await isosurface(grid, field, 0.5);
  expect(mesh.indices).toEqual(due.indices);
  extractor.dispose();
});
