import { gridConstants, indicesOf } from "../../../src/algorithms/surfaces/surface-grid.ts";
import { swirlingFlow, uniformGrid } from "../../../src/bench/cases/fields.ts";
import type { UniformGrid } from "../../../src/core/grid.ts";
import { around, type ConstantValues } from "../../../src/core/primitives/access.ts";
import { defineKernel } from "../../../src/core/primitives/kernel.ts";
import type { Primitives } from "../../../src/core/primitives/primitives.ts";
import type { Vector } from "../../../src/core/primitives/vector.ts";
import { partOf, planesOf } from "../inputs.ts";
import { layerBlocks } from "./layers.ts";
import type { BenchRank, Timed } from "./rank-case.ts";
import { together } from "./timing.ts";
import { withAllRanks, withPrimitives } from "./with-primitives.ts";

const sliceOf = ({ slice }: ConstantValues): number => Number(slice);

/**
 * The Q-criterion at the nodes of a uniform grid: −tr(J²) / 2 of central differences, one-sided at the border, as the filter
 * `q_criterion` has it. It reads the nodes before and after its own along each axis, which are a plane away at most.
 */
const criterion = defineKernel({
  name: "Q-criterion",
  inputs: { velocity: { type: "f32", components: 3, access: around(sliceOf, sliceOf) } },
  constants: { ...gridConstants, spacing: { type: "f32", components: 3 } },
  outputs: { results: { type: "f32" } },
  text: `
    let indices = indices_of(element);
    let dims = constants.dims;
    let dx = derivative(element, 1u, indices.x, dims.x, constants.spacing.x);
    let dy = derivative(element, constants.row, indices.y, dims.y, constants.spacing.y);
    let dz = derivative(element, constants.slice, indices.z, dims.z, constants.spacing.z);
    out.results = -0.5 * (dx.x * dx.x + dy.y * dy.y + dz.z * dz.z) - (dx.y * dy.x + dx.z * dz.x + dy.z * dz.y);`,
  functions: `${indicesOf}fn derivative(node: u32, stride: u32, i: u32, n: u32, h: f32) -> vec3f {
  let before = min(i, 1u);
  let after = min(n - 1u - i, 1u);
  return (velocity(node + after * stride) - velocity(node - before * stride)) * (1.0 / (f32(before + after) * h));
}`,
});

/** Of a velocity at the nodes of a grid with two or more along each axis. */
export async function composedQ(
  p: Primitives,
  { dims, spacing }: UniformGrid,
  velocity: Vector<"f32">,
): Promise<Vector<"f32">> {
  const [row, slice] = [dims[0], dims[0] * dims[1]];
  const given = { inputs: { velocity }, constants: { dims, row, slice, spacing } };
  return (await p.forEach(velocity.length, criterion, given)).results;
}

const flowGrid = (n: number) => uniformGrid([n, n, n], 0, 2 * Math.PI);
// The bench's own flow is of f32.
const flowOn = (grid: UniformGrid) => swirlingFlow(grid).data as Float32Array;

/** On each rank's own blocks with a plane of ghosts, as few as its device binds, which know nothing of the others. */
export const manualQ = (given: BenchRank, n: number): Promise<Timed> =>
  withPrimitives(given, async (p, rank) => {
    const { communicator, gpu } = rank;
    const maxPlanes = gpu ? Math.floor(gpu.pool.largestBinding / (12 * n * n)) : Number.POSITIVE_INFINITY;
    const blocks: { readonly grid: UniformGrid; readonly velocity: Vector<"f32"> }[] = [];
    for (const { planes } of layerBlocks(communicator, n, 1, maxPlanes)) {
      const grid = partOf(flowGrid(n), planes);
      blocks.push({ grid, velocity: p.fromHost("f32", flowOn(grid), 3) });
    }
    return together(rank, async () => {
      const made: Vector<"f32">[] = [];
      for (const { grid, velocity } of blocks) made.push(await composedQ(p, grid, velocity));
      return {
        release() {
          for (const results of made) results.release();
        },
      };
    });
  });

/** On one long vector over all ranks: of a new velocity each time, or of one whose halos the ranks have kept. */
export const distributedQ = (given: BenchRank, n: number, isNew: boolean): Promise<Timed> =>
  withAllRanks(given, async (p, rank) => {
    const grid = flowGrid(n);
    const own = flowOn(partOf(grid, planesOf(rank.communicator, n)));
    const values = await p.fromParts("f32", own, 3);
    let velocity = await p.copy(values);
    const renew = async () => {
      velocity.release();
      velocity = await p.copy(values);
    };
    return together(rank, () => composedQ(p, grid, velocity), isNew ? renew : undefined);
  });
