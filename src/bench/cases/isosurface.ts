import { type Field, makeField } from "../../core/field.ts";
import type { UniformGrid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { surfaceArea } from "../../core/mesh-measures.ts";
import { isosurface } from "../../cpu/surfaces/isosurface.ts";
import { uploadCompact } from "../../gpu/fields/compact-field.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { IsosurfaceExtractor } from "../../gpu/surfaces/isosurface/extractor.ts";
import { createSoupExtractor } from "../../gpu/surfaces/isosurface/soup/extractor.ts";
import type { BenchCase, BenchContext, Measurement } from "../case.ts";
import { timePass } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

/** The tangle as f32, or as u8 of its range. */
function storedTangle(grid: UniformGrid, isByte: boolean): Field {
  const field = tangleField(grid);
  if (!isByte) return field;
  // `Uint8Array.from` would list the values first, which 512³ of them do not fit.
  const values = field.data as Float32Array;
  const data = new Uint8Array(values.length);
  for (let i = 0; i < data.length; i++) data[i] = Math.max(0, Math.min(255, 8 * values[i] + 24));
  return makeField(grid, field.name, "node", 1, data);
}

/** What `record` encodes, of an extractor of the stored tangle on n³ nodes, compared with the CPU's surface. */
async function measure(
  { gpu }: BenchContext,
  n: number,
  record: (extractor: IsosurfaceExtractor, pass: GPUComputePassEncoder) => void,
  { isByte = false, isSoup = false } = {},
): Promise<Measurement> {
  const grid = uniformGrid([n, n, n], -3, 6);
  const host = storedTangle(grid, isByte);
  const isovalue = isByte ? 26.5 : 0.25;
  const field = await (isByte ? uploadCompact : uploadField)(gpu, grid, host, noJob);
  const tables = createGridTables(gpu, grid, "node");
  const extractor = await (isSoup ? createSoupExtractor(gpu, "smooth") : IsosurfaceExtractor.create(gpu));
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
      got.positions.length === (isSoup ? 3 * due.indices.length : due.positions.length) &&
      Math.abs(areas[0] / areas[1] - 1) < 1e-5;
    return { n: n ** 3, ms, bytes: (isByte ? 1 : 4) * n ** 3, verified };
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

/** The same with three vertices a triangle, which share none. */
const soupCases = [64, 128, 256, 512].map(
  (side): BenchCase => ({
    name: `isosurface/soup/${side}`,
    run: (context) =>
      measure(
        context,
        context.n ?? (context.isQuick ? 24 : side),
        (extractor, pass) => extractor.record(pass),
        { isSoup: true },
      ),
  }),
);

/** The welded one of a field that has just come: its blocks' ranges are taken first, from every value. */
const firstCase: BenchCase = {
  name: "isosurface/first/512",
  run: (context) =>
    measure(context, context.n ?? (context.isQuick ? 24 : 512), (extractor, pass) => {
      extractor.recordSource(pass);
      extractor.record(pass);
    }),
};

/** An isovalue change of a volume of bytes, which stays as it is stored. */
const byteCase: BenchCase = {
  name: "isosurface/u8/512",
  run: (context) =>
    measure(context, context.n ?? (context.isQuick ? 24 : 512), (extractor, pass) => extractor.record(pass), {
      isByte: true,
    }),
};

export const isosurfaceCases: readonly BenchCase[] = [...stepCases, ...soupCases, firstCase, byteCase];
