import { countOf } from "../../../src/core/hypercube/shape.ts";
import type { LatticeModel } from "../../../src/core/lattice/model.ts";
import { parametersOf } from "../../../src/core/lattice/models.ts";
import { createHostPart } from "../../../src/cpu/lattice/part.ts";
import { DividedSimulation } from "../../../src/distributed/lattice/divided-simulation.ts";
import { createGpuPart } from "../../../src/gpu/lattice/part.ts";
import type { BenchRank, Timed } from "./rank-case.ts";
import { together } from "./timing.ts";

/** A trial takes about so long. */
const trialMs = 300;

/** Trials before those that are measured: a simulation finds out how many layers to exchange at a time. */
const warmTrials = 16;

/** Milliseconds of a sweep that is measured, of a model on a lattice that all ranks share; and how long of it they exchange layers. */
export async function latticeSweep(
  rank: BenchRank,
  model: LatticeModel,
  lengths: readonly number[],
): Promise<{ "": Timed; ", in exchanges": Timed }> {
  const { communicator, gpu } = rank;
  const parameters = parametersOf(model, {}, lengths.length);
  const plan = model.on(lengths, parameters);
  const options = { seed: [1, 0], start: "random", parameters } as const;
  const simulation = await DividedSimulation.open(communicator, plan, options, async (held) =>
    gpu ? createGpuPart(gpu, plan, held) : createHostPart(plan, held),
  );
  try {
    await simulation.run(1, parameters);
    let sweeps = 1;
    for (let ms = 0; ms < trialMs / 4; ) {
      const start = performance.now();
      await simulation.run(sweeps, parameters);
      ms = await communicator.bcast<number>(performance.now() - start, 0);
      sweeps = Math.max(1, Math.min(4 * sweeps, Math.round((trialMs * sweeps) / ms)));
    }
    for (let trial = 0; trial < warmTrials; trial++) await simulation.run(sweeps, parameters);
    const before = simulation.cost;
    let trials = 0;
    const { ms, sentBytes } = await together(rank, async () => {
      await simulation.run(sweeps, parameters);
      trials++;
      return undefined;
    });
    const exchanging = simulation.cost.ms - before.ms;
    return {
      "": { ms: ms / sweeps, sentBytes: sentBytes / sweeps, updates: countOf(lengths) },
      ", in exchanges": { ms: exchanging / (trials * sweeps), sentBytes: 0 },
    };
  } finally {
    simulation.dispose();
  }
}
