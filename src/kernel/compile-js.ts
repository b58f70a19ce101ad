/** Kernels and functions that run in JavaScript: generated where the page allows code to be made, else interpreted. */
import { constantScalars, scalarsOf } from "./constants.ts";
import { type BlockNumbers, shapeOf } from "./emit/blocks.ts";
import { emitJsFunction, emitJsLoop } from "./emit/js/functions.ts";
import { emitJsKernel, loadsByInput } from "./emit/js/kernel.ts";
import { memoryArray } from "./emit/js/operand.ts";
import { interpretFunction, interpretKernel } from "./interpret/interpret.ts";
import type { KernelFunction, KernelProgram } from "./ir.ts";
import type { KernelArray, KernelCall } from "./layout.ts";
import { numberFunctions, type ScalarValue } from "./semantics.ts";
import { scalarCount } from "./types.ts";

let allowed: boolean | undefined;

/** Whether the page's content security policy lets code be generated: tried once. */
export function canGenerateCode(): boolean {
  if (allowed === undefined) {
    try {
      allowed = new Function("return true")() === true;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}

export interface CompileOptions {
  /** Interprets where it is false; whether the page allows code where it is left out. */
  readonly generates?: boolean;
}

type ConstantArray = KernelArray | Uint8Array;
type Run = (
  library: typeof numberFunctions,
  blocks: Readonly<Record<string, BlockNumbers>>,
  call: KernelCall,
  constants: Readonly<Record<string, ConstantArray>>,
) => void;

const arrays = { Float32Array, Float64Array, Int32Array, Uint32Array, Uint8Array };

/** What changes from run to run of a call whose inputs, constants and strides stay. */
export type KernelRun = (changes: Pick<KernelCall, "space" | "layouts">) => void;

/**
 * A kernel that runs on the processor, for calls that are run again and again on other spaces of the same kind. What it
 * is compiled to is kept for calls of the same shape.
 */
export function bindKernel(
  program: KernelProgram,
  { generates = canGenerateCode() }: CompileOptions = {},
): (call: KernelCall) => KernelRun {
  if (!generates) {
    const interpret = interpretKernel(program);
    return (call) => (changes) => interpret({ ...call, ...changes });
  }
  const loads = loadsByInput(program);
  const compiled = new Map<string, Run>();
  return (call) => {
    const { shape, blocks } = shapeOf(program, loads, call);
    const key = JSON.stringify(shape);
    let run = compiled.get(key);
    if (!run) {
      run = new Function("library", "blocks", "call", "constants", emitJsKernel(program, shape)) as Run;
      compiled.set(key, run);
    }
    const made = run;
    const constants = constantArrays(program, call);
    return (changes) => made(numberFunctions, blocks, { ...call, ...changes }, constants);
  };
}

/** A kernel that runs on the processor, for calls that are run once. */
export function compileKernel(program: KernelProgram, options?: CompileOptions): (call: KernelCall) => void {
  const bind = bindKernel(program, options);
  return (call) => bind(call)(call);
}

function constantArrays(program: KernelProgram, call: KernelCall): Record<string, ConstantArray> {
  return Object.fromEntries(
    Object.entries(program.constants).map(([name, type]) => {
      const scalars = constantScalars(type, call.constants[name]).map(Number);
      return [name, arrays[memoryArray(type)].from(scalars)];
    }),
  );
}

/** A scalar, or the scalars of a vector, matrix (column by column), array or struct in order. */
export type FunctionValue = ScalarValue | readonly ScalarValue[];

/** A function of values that runs on the processor. */
export function compileFunction(
  callable: KernelFunction,
  { generates = canGenerateCode() }: CompileOptions = {},
): (...values: readonly FunctionValue[]) => FunctionValue {
  if (generates) return new Function("library", emitJsFunction(callable))(numberFunctions);
  const interpreted = interpretFunction(callable);
  return (...values) => {
    const scalars = interpreted(...values.map((value) => (isScalars(value) ? value : [value])));
    return callable.result.kind === "scalar" ? scalars[0] : scalars;
  };
}

const isScalars = (value: FunctionValue): value is readonly ScalarValue[] => typeof value === "object";

/**
 * Applies a function to `count` elements: an interleaved array for each parameter and for the results, booleans as 0 and 1.
 * `out` may be an argument whose elements have as many components.
 */
export type ElementLoop = (args: readonly KernelArray[], out: KernelArray, count: number) => void;

export function compileLoop(
  callable: KernelFunction,
  { generates = canGenerateCode() }: CompileOptions = {},
): ElementLoop {
  if (generates) return new Function("library", emitJsLoop(callable))(numberFunctions);
  const interpreted = interpretFunction(callable);
  const scalars = callable.parameters.map(({ type }) => scalarsOf(type));
  const width = scalarCount(callable.result);
  return (args, out, count) => {
    for (let e = 0; e < count; e++) {
      const values = scalars.map((kinds, i) =>
        kinds.map((kind, k) => {
          const number = args[i][e * kinds.length + k];
          return kind === "bool" ? number !== 0 : number;
        }),
      );
      interpreted(...values).forEach((value, k) => {
        out[e * width + k] = Number(value);
      });
    }
  };
}
