/** Passes of lattice models as pipelines. */
import { arrayNamed, type FieldsPass, type LatticePlan, type Pass } from "../../core/lattice/model.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { deferredPrograms } from "../../kernel/lattice/programs.ts";
import type { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
import { changingCode, constantWords, deferredCode, fitsQueue, type PassRange, rangeWords } from "./code.ts";
import type { PassCode, PassSpace } from "./pass-writer.ts";

export interface CompiledPass {
  readonly program: KernelProgram;
  readonly pipeline: GPUComputePipeline;
  readonly hasConstants: boolean;
  /** The plan's arrays, as they are bound. */
  readonly arrays: readonly string[];
  readonly step: number;
}

export type Arrays = Readonly<Record<string, PooledBuffer>>;
export type Constants = Readonly<Record<string, number | readonly number[]>>;

/** `codeOf` makes the shader of the program. */
export async function compile(
  gpu: GpuContext,
  pass: FieldsPass & Pick<Pass, "step">,
  program: KernelProgram,
  codeOf: (program: KernelProgram) => PassCode,
): Promise<CompiledPass> {
  const { code, hasConstants, arrays } = codeOf(program);
  return {
    program,
    pipeline: await gpu.pipelines.get({ label: pass.name, code, entryPoint: "main" }),
    hasConstants,
    arrays: arrays.map((name) => arrayNamed(pass, name)),
    step: pass.step ?? 0,
  };
}

/** A pass that changes arrays by its program, in two parts where `isDeferred` and it has these. */
export function compileChanging(
  gpu: GpuContext,
  plan: LatticePlan,
  pass: Pass,
  program: KernelProgram,
  isDeferred: boolean,
  space: PassSpace = { length: plan.length, isPart: false },
): Promise<CompiledPass> {
  const parts = isDeferred ? deferredPrograms(plan, pass) : undefined;
  return compile(gpu, pass, program, () =>
    parts && fitsQueue(parts.first)
      ? deferredCode(program, parts, pass.deferral!.carried[0], space)
      : changingCode(program, space),
  );
}

export const bindingsOf = (
  recorder: Recorder,
  { program, hasConstants, arrays: names, step }: CompiledPass,
  arrays: Arrays,
  constants: Constants,
  range?: PassRange,
) => [
  hasConstants
    ? recorder.parameters([
        ...(range ? rangeWords(range) : []),
        ...constantWords(program, { ...constants, step }),
      ])
    : undefined,
  ...names.map((name) => arrays[name]),
];
