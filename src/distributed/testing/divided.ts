import type { ElementRange } from "../../core/lattice/layers.ts";
import type { LatticePlan } from "../../core/lattice/model.ts";
import type { LatticePart } from "../../core/lattice/part.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { DividedSimulation } from "../lattice/divided-simulation.ts";
import { follow, lead } from "../lattice/shared-simulation.ts";
import { inProcess } from "./in-process.ts";

/** What rank 0 of so many does with a simulation that they share; `open` makes a rank's part of elements. */
export async function onDivided<R>(
  size: number,
  plan: LatticePlan,
  options: SimulationOptions,
  open: (rank: number, held: ElementRange) => Promise<LatticePart>,
  work: (simulation: Simulation, ofRanks: readonly DividedSimulation[]) => Promise<R>,
): Promise<R> {
  const ranks = inProcess(size);
  const shared = await Promise.all(
    ranks.map((communicator, rank) =>
      DividedSimulation.open(communicator, plan, options, (held) => open(rank, held)),
    ),
  );
  try {
    const others = ranks.slice(1).map((communicator, k) => follow(communicator, shared[k + 1]));
    const led = lead(ranks[0], plan, shared[0]);
    const result = await work(led, shared);
    await led.end();
    await Promise.all(others);
    return result;
  } finally {
    for (const each of shared) each.dispose();
  }
}

/** Sweeps in two batches, with a stroke between them where the plan has a brush, and the state behind them. */
export async function drawnRun(
  plan: LatticePlan,
  simulation: Simulation,
  parameters: SimulationOptions["parameters"],
) {
  const sums = [...(await simulation.run(2, parameters))];
  if (plan.brush) {
    const value = plan.brush.isWhole ? 1 : 0.5;
    (await simulation.brush())({ position: plan.lengths.map(() => 0.5), radius: 2.2, value });
  }
  sums.push(...(await simulation.run(3, parameters)));
  const arrays = await simulation.read();
  // Numbers as they are in memory.
  const words = Object.fromEntries(
    Object.keys(plan.arrays).map((name) => [name, new Uint32Array(arrays[name].slice().buffer)]),
  );
  return { sums, words };
}
