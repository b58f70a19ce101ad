/**
 * Holds kernels to the rules of their representation, wherever they come from. Throws a KernelError at the first fault,
 * with its place where the node has one.
 */
import { Checker } from "./checker.ts";
import { kernelError } from "./errors.ts";
import type { Expression, KernelFunction, KernelProgram } from "./ir.ts";
import type { StructType } from "./types.ts";

/** A kernel's declarations, functions and body. */
export function checkKernel(program: KernelProgram): void {
  checkInputs(program.inputs);
  const checker = new Checker(program, program.structs);
  checker.functions(program.functions);
  checker.body(program.body, [], undefined);
  checkOffsets(checker.offsetLoads);
}

/** Functions of values, which read no inputs. */
export function checkFunctions({
  structs,
  functions,
}: {
  readonly structs: readonly StructType[];
  readonly functions: readonly KernelFunction[];
}): void {
  new Checker(undefined, structs).functions(functions);
}

function checkInputs(inputs: KernelProgram["inputs"]): void {
  for (const [name, { access }] of Object.entries(inputs)) {
    if (access.kind !== "map") continue;
    const map = Object.hasOwn(inputs, access.map) ? inputs[access.map] : undefined;
    if (map?.scalar === "u32" && (map.components ?? 1) === 1) continue;
    throw kernelError(
      map
        ? `The map “${access.map}” of the input “${name}” does not hold elements of one u32.`
        : `The input “${name}” is read through “${access.map}”, which is not an input.`,
      "Declare an input of u32 with that name.",
    );
  }
}

/** A kernel is over a row or over a grid: its offsets have one number, or three. */
function checkOffsets(loads: readonly Extract<Expression, { kind: "load" }>[]): void {
  const odd = loads.find(({ indices }) => indices.length !== loads[0].indices.length);
  if (!odd) return;
  throw kernelError(
    `“${odd.input}” is read with ${odd.indices.length === 1 ? "one offset, as in a row" : "three offsets, as in a grid"}, and “${loads[0].input}” otherwise.`,
    "A kernel runs over a row or over a grid, with as many offsets everywhere.",
    odd.span,
  );
}
