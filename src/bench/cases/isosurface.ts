import { isosurface } from "../../algorithms/isosurface/isosurface.ts";
import { surfaceArea } from "../../algorithms/isosurface/measures.ts";
import { unattended } from "../../core/job.ts";
import { IsosurfaceExtractor } from "../../gpu/algorithms/isosurface/extractor.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import type { BenchCase, BenchContext, Measurement } from "../case.ts";
import { timePass } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

const isovalue = 0.25;

/** What `record` encodes, of an extractor of the stored tangle on n³ nodes, compared with the CPU's surface. */
async function measure(
  { gpu }: BenchContext,
  n: number,
  record: (extractor: IsosurfaceExtractor, pass: GPUComputePassEncoder) => void,
): Promise<Measurement> {
  const grid = uniformGrid([n, n, n], -3, 6);
  const host = tangleField(grid);
  const field = await uploadField(gpu, grid, host, unattended);
  const tables = createGridTables(gpu, grid, "node");
  const extractor = await IsosurfaceExtractor.create(gpu);
  try {
    await extractor.setSource({ tables, field });
    extractor.extract(isovalue);
    await extractor.counts();
    const ms = await timePass(gpu, (pass) => record(extractor, pass));
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
}

/** The GPU's part of one isovalue change: which blocks, vertices with normals and a scalar, indices of a welded mesh. */
const stepCases = [64, 128, 256, 512].map(
  (side): BenchCase => ({
    name: `isosurface/${side}`,
    run: (context) =>
      measure(context, context.n ?? (context.isQuick ? 24 : side), (extractor, pass) =>
        extractor.record(pass),
      ),
  }),
);

/** The same for a field that has just come: its blocks' ranges are taken first, from every value. */
const firstCase: BenchCase = {
  name: "isosurface/first/512",
  run: (context) =>
    measure(context, context.n ?? (context.isQuick ? 24 : 512), (extractor, pass) => {
      extractor.recordSource(pass);
      extractor.record(pass);
    }),
};

export const isosurfaceCases: readonly BenchCase[] = [...stepCases, firstCase];
