import { composedIsosurface } from "../../../src/algorithms/surfaces/isosurface.ts";
import type { Surface } from "../../../src/algorithms/surfaces/surface.ts";
import { type SurfaceGrid, surfaceGrid } from "../../../src/algorithms/surfaces/surface-grid.ts";
import { tangleField, uniformGrid } from "../../../src/bench/cases/fields.ts";
import type { Vector } from "../../../src/core/primitives/vector.ts";
import { isovalue, partOf, planesOf } from "../inputs.ts";
import { layerBlocks } from "./layers.ts";
import type { BenchRank, Timed } from "./rank-case.ts";
import { together } from "./timing.ts";
import { sendInParts, withAllRanks, withPrimitives } from "./with-primitives.ts";

const tangleGrid = (n: number) => uniformGrid([n, n, n], -3, 6);

/** On each rank's own blocks with a plane of ghosts, as few as its device binds, which know nothing of the others. */
export const manualIsosurface = (given: BenchRank, n: number): Promise<Timed> =>
  withPrimitives(given, async (p, rank) => {
    const { communicator, gpu } = rank;
    const maxPlanes = gpu ? Math.floor(gpu.pool.largestBinding / (4 * n * n)) : Number.POSITIVE_INFINITY;
    const blocks: { readonly on: SurfaceGrid; readonly values: Vector<"f32"> }[] = [];
    for (const { planes } of layerBlocks(communicator, n, 1, maxPlanes)) {
      const grid = partOf(tangleGrid(n), planes);
      // The bench's own field is of f32.
      const values = await sendInParts(p, tangleField(grid).data as Float32Array);
      blocks.push({ on: surfaceGrid(p, grid), values });
    }
    return together(rank, async () => {
      const made: Surface[] = [];
      for (const { on, values } of blocks)
        made.push(await composedIsosurface(p, on, values, { isovalues: [isovalue] }));
      return {
        release() {
          for (const surface of made) surface.release();
        },
      };
    });
  });

/** On one long vector over all ranks: of a new field each time, or of one whose halos the ranks have kept. */
export const distributedIsosurface = (given: BenchRank, n: number, isNew: boolean): Promise<Timed> =>
  withAllRanks(given, async (p, rank) => {
    const grid = tangleGrid(n);
    const on = surfaceGrid(p, grid);
    // The bench's own field is of f32.
    const own = tangleField(partOf(grid, planesOf(rank.communicator, n))).data as Float32Array;
    const values = await p.fromParts("f32", own);
    let field = await p.copy(values);
    const renew = async () => {
      field.release();
      field = await p.copy(values);
    };
    return together(
      rank,
      () => composedIsosurface(p, on, field, { isovalues: [isovalue] }),
      isNew ? renew : undefined,
    );
  });
