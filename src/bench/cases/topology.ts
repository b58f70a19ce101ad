import { makeField } from "../../core/field.ts";
import type { UniformGrid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { Topology } from "../../core/marching-cubes/topology.ts";
import { isosurface } from "../../cpu/surfaces/isosurface.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { IsosurfaceExtractor } from "../../gpu/surfaces/isosurface/extractor.ts";
import type { BenchCase, BenchContext, Measurement } from "../case.ts";
import { timePass } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

/** Numbers from −1 to 1 without order. */
function noiseField(grid: UniformGrid) {
  const [nx, ny, nz] = grid.dims;
  let state = 1;
  const data = Float32Array.from({ length: nx * ny * nz }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return makeField(grid, "noise", "node", 1, data);
}

const fields = { tangle: tangleField, noise: noiseField };

interface Prepared {
  readonly extractor: IsosurfaceExtractor;
  readonly name: keyof typeof fields;
  readonly topology: Topology;
}

/** The surface at 0.25 on n³ nodes, which `use` gets while it is there. */
async function withSurface<Result>(
  { gpu }: BenchContext,
  n: number,
  { extractor, name }: Prepared,
  use: (grid: UniformGrid) => Promise<Result>,
): Promise<Result> {
  const grid = uniformGrid([n, n, n], -3, 6);
  const field = await uploadField(gpu, grid, fields[name](grid), noJob);
  const tables = createGridTables(gpu, grid, "node");
  try {
    await extractor.setSource({ tables, field });
    extractor.extract(0.25);
    return await use(grid);
  } finally {
    extractor.suspend();
    field.buffer.release();
    tables.buffer.release();
  }
}

/** Nodes in each direction of the surface that is compared with the CPU's. */
const verifiedSide = 40;

async function isAsOnCpu(context: BenchContext, prepared: Prepared): Promise<boolean> {
  return withSurface(context, verifiedSide, prepared, async (grid) => {
    const { name, topology, extractor } = prepared;
    const due = await isosurface(grid, fields[name](grid), 0.25, { topology });
    const got = await extractor.readMesh();
    return due.indices.length > 0 && got.indices.every((vertex, i) => vertex === due.indices[i]);
  });
}

/** The GPU's part of an isovalue change. */
const topologyCase = (name: keyof typeof fields, topology: Topology, side: number): BenchCase => ({
  name: ["isosurface", topology === "table" ? [] : "exact", name === "tangle" ? [] : name, side]
    .flat()
    .join("/"),
  async run(context): Promise<Measurement> {
    const { gpu, isQuick, n = isQuick ? 24 : side } = context;
    const extractor = await IsosurfaceExtractor.create(gpu, {}, topology);
    const prepared = { extractor, name, topology };
    try {
      const isRight = await isAsOnCpu(context, prepared);
      return await withSurface(context, n, prepared, async () => {
        const { triangles, isTruncated } = await extractor.counts();
        const ms = await timePass(gpu, (pass) => extractor.record(pass));
        return { n: n ** 3, ms, bytes: 4 * n ** 3, verified: isRight && triangles > 0 && !isTruncated };
      });
    } finally {
      extractor.dispose();
    }
  },
});

/** The trilinear topology where hardly any cell leaves it open, and where half of them do, beside the table's. */
export const topologyCases: readonly BenchCase[] = [128, 256].flatMap((side) => [
  topologyCase("tangle", "trilinear", side),
  topologyCase("noise", "table", side),
  topologyCase("noise", "trilinear", side),
]);
