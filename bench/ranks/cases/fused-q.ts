import { swirlingFlow, uniformGrid } from "../../../src/bench/cases/fields.ts";
import type { Triple } from "../../../src/core/grid.ts";
import { submitPass } from "../../../src/gpu/compute/dispatch.ts";
import { compile } from "../../../src/lang/expression/compile.ts";
import { type PreparedEvaluation, prepareOnGpu } from "../../../src/lang/expression/execute/gpu/evaluate.ts";
import { RankField } from "./fused-blocks.ts";
import type { GpuRank, Timed } from "./rank-case.ts";
import { timeWarm, together } from "./timing.ts";

/** The flow that networks are made for; they depend on its kind, not on its values. */
const flow = swirlingFlow(uniformGrid([2, 2, 2], 0, 1));

/**
 * The Q-criterion of a flow, made by each rank of its layers: the kernel alone, and from barrier to barrier with the exchange of
 * the ghosts of a new velocity.
 */
export async function fusedQ(
  rank: GpuRank,
  dims: Triple,
): Promise<{ "": Timed; ", end to end, new field": Timed }> {
  const { gpu } = rank;
  const velocity = await RankField.sample(rank, uniformGrid(dims, 0, 2 * Math.PI), 3, swirlingFlow);
  const prepared: PreparedEvaluation[] = [];
  const record = (pass: GPUComputePassEncoder) => {
    for (const each of prepared) each.record(pass);
  };
  try {
    const network = compile("q = q_criterion(v)", [flow]);
    for (const { grid, field, tables } of velocity.blocks) {
      const inputs = { grid, field: async () => field, tables: () => tables };
      prepared.push(await prepareOnGpu(gpu, network, inputs, ["q"]));
    }
    return {
      "": await timeWarm(rank, record),
      ", end to end, new field": await together(rank, async () => {
        await velocity.exchangeGhosts();
        submitPass(gpu, "Q-criterion", record);
        return undefined;
      }),
    };
  } finally {
    for (const each of prepared) each.release();
    velocity.release();
  }
}
