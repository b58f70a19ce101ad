/** Kernels of a plan's passes. */
import { CrinkleError } from "../../core/errors.ts";
import { formatBytes } from "../../core/format.ts";
import {
  arrayNamed,
  type LatticeArray,
  type LatticeArrays,
  type LatticePlan,
  type Pass,
} from "../../core/lattice/model.ts";
import { compileKernel } from "../../kernel/compile-js.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { brushProgram, sharedPrograms, sumsProgram } from "../../kernel/lattice/programs.ts";
import type { InputBlock, RowPart } from "../../kernel/layout.ts";

export type Kernel = ReturnType<typeof compileKernel>;

/** The kernels of a plan. */
interface PlanKernels {
  /** Of a pass of its starts, sweep or brush: one for each program. */
  readonly of: (pass: Pass) => Kernel;
  readonly sums: Kernel;
}

/** Of plans that several parts or simulations have. */
const made = new WeakMap<LatticePlan, PlanKernels>();

export function kernelsOf(plan: LatticePlan): PlanKernels {
  const kernels = made.get(plan) ?? compileKernels(plan);
  made.set(plan, kernels);
  return kernels;
}

function compileKernels(plan: LatticePlan): PlanKernels {
  const programs = sharedPrograms(plan);
  const ofBrush = new Map((plan.brush?.passes ?? []).map((pass) => [pass, brushProgram(plan, pass)]));
  const compiled = new Map<KernelProgram, Kernel>();
  const ofPasses = new Map<Pass, Kernel>();
  const kernelOf = (pass: Pass): Kernel => {
    const program = ofBrush.get(pass) ?? programs(pass);
    const kernel = compiled.get(program) ?? compileKernel(program);
    compiled.set(program, kernel);
    return kernel;
  };
  return {
    sums: compileKernel(sumsProgram(plan)),
    of(pass) {
      const kernel = ofPasses.get(pass) ?? kernelOf(pass);
      ofPasses.set(pass, kernel);
      return kernel;
    },
  };
}

/** What a pass reads, from arrays that hold a part of all elements. */
export const inputsOf = (
  pass: Pick<Pass, "reads" | "arrays">,
  arrays: LatticeArrays,
  part: RowPart,
): Record<string, InputBlock> =>
  Object.fromEntries(
    Object.keys(pass.reads).map((name) => [name, { words: arrays[arrayNamed(pass, name)], part }]),
  );

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** Zeros of a type. Throws OutOfMemory. */
export function zeros(type: keyof typeof arrayTypes, length: number): LatticeArray {
  try {
    return new arrayTypes[type](length);
  } catch (cause) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `An array of the lattice needs ${formatBytes(4 * length)} of memory, more than is available.`,
      remedy: "Give the lattice smaller lengths.",
      cause,
    });
  }
}
