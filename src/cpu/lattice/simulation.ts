import { brushConstants, brushOf } from "../../core/lattice/brush.ts";
import type { LatticePlan } from "../../core/lattice/model.ts";
import { startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { fieldOf } from "./field.ts";
import { createHostPart } from "./part.ts";

/** A model on the CPU, in one thread. Throws UnknownName for a start that the model does not have. */
export function createHostSimulation(
  plan: LatticePlan,
  { seed, start, parameters, state }: SimulationOptions,
): Simulation {
  const all = { first: 0, count: plan.length };
  const starts = startNamed(plan, start);
  const part = createHostPart(plan, all);
  let done = state?.sweeps ?? 0;
  if (state) for (const [name, array] of Object.entries(part.arrays)) array.set(state.arrays[name]);
  else for (const pass of starts) part.change(pass, all, { seed, sweep: 0, ...plan.constantsOf(parameters) });
  return {
    async run(sweeps, now) {
      const constants = { seed, ...plan.constantsOf(now) };
      return Array.from({ length: sweeps }, () => {
        const ofSweep = { ...constants, sweep: ++done };
        for (const pass of plan.sweep) part.change(pass, all, ofSweep);
        return part.sumsOf(all, ofSweep);
      });
    },
    async read() {
      return part.arrays;
    },
    async field(name) {
      return fieldOf(plan, part.arrays, name);
    },
    async brush() {
      const { passes } = brushOf(plan);
      return (stroke) => {
        const constants = brushConstants(plan, stroke);
        for (const pass of passes) part.change(pass, all, constants);
      };
    },
    dispose() {},
  };
}
