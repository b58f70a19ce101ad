import { add, and, max, min, mul, or, xor } from "../../cluster/communicator/operators/elements.ts";
import type { ElementReduction } from "../../cluster/communicator/operators.ts";
import type { DType } from "../../core/dtype.ts";
import type { Abi, Handle, NativeOperator } from "./abi.ts";

const names = new Map<unknown, NativeOperator>([
  [add, "add"],
  [mul, "mul"],
  [min, "min"],
  [max, "max"],
  [and, "and"],
  [or, "or"],
  [xor, "xor"],
]);

/** A reduction of arrays by MPI. */
export interface NativeReduction {
  readonly operator: Handle;
  readonly type: Handle;
  /** Whether the result does not depend on how operands are grouped. */
  readonly isExact: boolean;
}

/**
 * MPI's operator and type for a reduction of arrays, if they give the same results: of floating-point numbers MPI has no
 * bits, and leaves open what the least of NaN and 1, or of −0 and 0, is.
 */
export function nativeReduction(
  operator: Pick<ElementReduction, "name">,
  dtype: DType,
  abi: Abi,
): NativeReduction | undefined {
  const name = names.get(operator);
  const isFloat = dtype === "f32" || dtype === "f64";
  if (!name || (isFloat && name !== "add" && name !== "mul")) return undefined;
  return { operator: abi.operators[name], type: abi.types[dtype], isExact: !isFloat };
}
