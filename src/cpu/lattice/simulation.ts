import { brushConstants, brushOf } from "../../core/lattice/brush.ts";
import type { ElementType, LatticeArrays, LatticePlan, Numbers, Pass } from "../../core/lattice/model.ts";
import { startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { compileKernel } from "../../kernel/compile-js.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { arrayNamed, brushProgram, sharedPrograms, sumsProgram } from "../../kernel/lattice/programs.ts";
import { type KernelConstants, wholeRow } from "../../kernel/layout.ts";
import { fieldOf } from "./field.ts";

/** Elements whose sums are taken at a time: they stay in the cache. */
const chunk = 1 << 14;

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** Zeros of a type. */
export const zeros = (type: ElementType, length: number) => new arrayTypes[type](length);

type Run = (constants: KernelConstants) => void;

/** A model on the CPU, in one thread. Throws UnknownName for a start that the model does not have. */
export function createHostSimulation(
  plan: LatticePlan,
  { seed, start, parameters }: SimulationOptions,
): Simulation {
  const arrays = Object.fromEntries(
    Object.entries(plan.arrays).map(([name, type]) => [name, zeros(type, plan.length)]),
  );
  const kernels = sharedKernels(plan);
  const sweep = plan.sweep.map((pass) => changing(plan, pass, arrays, kernels(pass)));
  const sums = summing(plan, arrays);
  let done = 0;
  for (const pass of startNamed(plan, start)) {
    changing(plan, pass, arrays, kernels(pass))({ seed, sweep: 0, ...plan.constantsOf(parameters) });
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
    async field(name) {
      return fieldOf(plan, arrays, name);
    },
    async brush() {
      const passes = brushOf(plan).passes.map((pass) =>
        changing(plan, pass, arrays, compileKernel(brushProgram(plan, pass))),
      );
      return (stroke) => {
        const constants = brushConstants(plan, stroke);
        for (const pass of passes) pass(constants);
      };
    },
    dispose() {},
  };
}

const inputsOf = (pass: Pick<Pass, "reads" | "arrays">, arrays: LatticeArrays) =>
  Object.fromEntries(
    Object.keys(pass.reads).map((name) => {
      const words = arrays[arrayNamed(pass, name)];
      return [name, { words, part: wholeRow(words.length) }];
    }),
  );

type Kernel = ReturnType<typeof compileKernel>;

/** Kernels of passes, one for each program. */
function sharedKernels(plan: LatticePlan): (pass: Pass) => Kernel {
  const programs = sharedPrograms(plan);
  const compiled = new Map<KernelProgram, Kernel>();
  return (pass) => {
    const program = programs(pass);
    const kernel = compiled.get(program) ?? compileKernel(program);
    compiled.set(program, kernel);
    return kernel;
  };
}

function changing(plan: LatticePlan, pass: Pass, arrays: LatticeArrays, run: Kernel): Run {
  const inputs = inputsOf(pass, arrays);
  const outputs = Object.fromEntries(pass.writes.map((name) => [name, arrays[arrayNamed(pass, name)]]));
  const { step = 0 } = pass;
  return (constants) =>
    run({ space: wholeRow(plan.length), inputs, outputs, constants: { ...constants, step } });
}

function summing(plan: LatticePlan, arrays: LatticeArrays): (constants: KernelConstants) => Numbers {
  const run = compileKernel(sumsProgram(plan));
  const inputs = inputsOf(plan.sums, arrays);
  const { length } = plan;
  const { writes, step = 0 } = plan.sums;
  const held = Object.fromEntries(writes.map((name) => [name, zeros(plan.sumType, Math.min(chunk, length))]));
  return (given) => {
    const constants = { ...given, step };
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
