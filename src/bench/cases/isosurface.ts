import { isosurface } from "../../algorithms/isosurface/isosurface.ts";
import { surfaceArea } from "../../algorithms/isosurface/measures.ts";
import { unattended } from "../../core/job.ts";
import { IsosurfaceExtractor } from "../../gpu/algorithms/isosurface/extractor.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import type { BenchCase } from "../case.ts";
import { timePass } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

const isovalue = 0.25;

/** The GPU's part of one isovalue change on n³ nodes: which blocks, vertices with normals, indices. */
export const isosurfaceCase: BenchCase = {
  name: "isosurface/256",
  async run({ gpu, isQuick, n = isQuick ? 48 : 256 }) {
    const grid = uniformGrid([n, n, n], -3, 6);
    const host = tangleField(grid);
    const field = await uploadField(gpu, grid, host, unattended);
    const tables = createGridTables(gpu, grid, "node");
    const extractor = await IsosurfaceExtractor.create(gpu);
    try {
      await extractor.setSource({ tables, field });
      extractor.extract(isovalue);
      await extractor.counts();
      const ms = await timePass(gpu, (pass) => extractor.record(pass));
      const got = await extractor.readMesh();
      const due = await isosurface(grid, host, isovalue);
      const areas = [got, due].map(surfaceArea);
      const verified =
        due.indices.length > 0 &&
        got.indices.length === due.indices.length &&
        got.positions.length === due.positions.length &&
        Math.abs(areas[0] / areas[1] - 1) < 1e-5;
      return { n: n ** 3, ms, bytes: 4 * n ** 3, verified };
    } finally {
      extractor.dispose();
      field.buffer.release();
      tables.buffer.release();
    }
  },
};
