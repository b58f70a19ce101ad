import type { LatticeArrays, LatticePlan, Numbers, Pass } from "../../core/lattice/model.ts";
import { startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { compileKernel } from "../../kernel/compile-js.ts";
import { passProgram } from "../../kernel/lattice/programs.ts";
import { type KernelConstants, wholeRow } from "../../kernel/layout.ts";

/** Elements whose sums are taken at a time: they stay in the cache. */
const chunk = 1 << 14;

const arraysOf = { u32: Uint32Array, f32: Float32Array } as const;

type Run = (constants: KernelConstants) => void;

/** A model on the CPU, in one thread. Throws UnknownName for a start that there is not. */
export function createHostSimulation(
  plan: LatticePlan,
  { seed, start, parameters }: SimulationOptions,
): Simulation {
  const arrays = Object.fromEntries(plan.arrays.map((name) => [name, new arraysOf[plan.type](plan.length)]));
  const sweep = plan.sweep.map((pass) => changing(plan, pass, arrays));
  const sums = summing(plan, arrays);
  let done = 0;
  for (const pass of startNamed(plan, start)) {
    changing(plan, pass, arrays)({ seed, sweep: 0, ...plan.constantsOf(parameters) });
  }
  return {
    async run(sweeps, now) {
      const constants = { seed, ...plan.constantsOf(now) };
      return Array.from({ length: sweeps }, () => {
        done++;
        for (const pass of sweep) pass({ ...constants, sweep: done });
        return sums({ ...constants, sweep: done });
      });
    },
    async read() {
      return arrays;
    },
    dispose() {},
  };
}

const inputsOf = ({ reads }: Pass, arrays: LatticeArrays) =>
  Object.fromEntries(
    Object.keys(reads).map((name) => [name, { words: arrays[name], part: wholeRow(arrays[name].length) }]),
  );

function changing(plan: LatticePlan, pass: Pass, arrays: LatticeArrays): Run {
  const run = compileKernel(passProgram(plan, pass));
  const inputs = inputsOf(pass, arrays);
  const outputs = Object.fromEntries(pass.writes.map((name) => [name, arrays[name]]));
  return (constants) => run({ space: wholeRow(plan.length), inputs, outputs, constants });
}

function summing(plan: LatticePlan, arrays: LatticeArrays): (constants: KernelConstants) => Numbers {
  const run = compileKernel(passProgram(plan, plan.sums));
  const inputs = inputsOf(plan.sums, arrays);
  const { length } = plan;
  const { writes } = plan.sums;
  const held = Object.fromEntries(
    writes.map((name) => [name, new arraysOf[plan.type](Math.min(chunk, length))]),
  );
  return (constants) => {
    const totals = Object.fromEntries(writes.map((name) => [name, 0]));
    for (let first = 0; first < length; first += chunk) {
      const count = Math.min(chunk, length - first);
      run({ space: { kind: "row", whole: length, first, length: count }, inputs, outputs: held, constants });
      for (const name of writes) {
        const words = held[name];
        let sum = 0;
        for (let i = 0; i < count; i++) sum += words[i];
        totals[name] += sum;
      }
    }
    return totals;
  };
}
