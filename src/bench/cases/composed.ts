import { isosurface } from "../../algorithms/isosurface/isosurface.ts";
import { surfaceArea } from "../../algorithms/isosurface/measures.ts";
import { composedIsosurface } from "../../algorithms/surface/isosurface.ts";
import type { Surface } from "../../algorithms/surface/surface.ts";
import { surfaceGrid } from "../../algorithms/surface/surface-grid.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

const isovalue = 0.25;

/** Bytes that the composition moves for a node: the field once, and words between classifying, scan and search. */
const nodeBytes = 20;
/** Position, normal, scalar, edge. */
const vertexBytes = 32;

async function areaOf(p: Primitives, { positions, normals }: Surface): Promise<number> {
  return surfaceArea({
    positions: await p.toHost(positions),
    normals: await p.toHost(normals),
    scalars: undefined,
    indices: Uint32Array.from({ length: positions.length }, (_, v) => v),
  });
}

/**
 * The isosurface of the stored tangle on n³ nodes, composed of primitives, with its waits: three vertices a triangle,
 * smooth normals and one scalar.
 */
const isosurfaceCase = (side: number): BenchCase => ({
  name: `isosurface/composed/${side}`,
  async run({ gpu, isQuick, n = isQuick ? 24 : side }) {
    const grid = uniformGrid([n, n, n], -3, 6);
    const field = tangleField(grid);
    const p = await createGpuPrimitives(gpu);
    try {
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", field.data as Float32Array);
      const make = () => composedIsosurface(p, on, values, { isovalues: [isovalue], fields: [values] });
      const ms = await timeAsync(async () => {
        const surface = await make();
        p.flush();
        await gpu.idle();
        surface.release();
      });
      const got = await make();
      const due = await isosurface(grid, field, isovalue);
      const vertices = got.positions.length;
      const verified =
        vertices > 0 &&
        vertices === due.indices.length &&
        Math.abs((await areaOf(p, got)) / surfaceArea(due) - 1) < 1e-5;
      return { n: n ** 3, ms, bytes: nodeBytes * n ** 3 + vertexBytes * vertices, verified };
    } finally {
      p.dispose();
    }
  },
});

/** What is composed of primitives, beside the kernels that make the same. */
export const composedCases: readonly BenchCase[] = [64, 128, 256, 512].map(isosurfaceCase);
