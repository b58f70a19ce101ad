import type { Span } from "../../core/errors.ts";
import { load } from "../build.ts";
import type { Expression, KernelInput } from "../ir.ts";
import { scalarOf } from "../types.ts";
import { type Lowered, settleAs } from "./abstract.ts";

/** `input(indices)`: offsets are i32, other numbers without a type are u32, or of the type of those beside them. */
export function lowerCallOfInput(
  name: string,
  input: KernelInput,
  values: readonly Lowered[],
  span: Span,
): Expression {
  const typed = values.find((value) => value.kind !== "abstract");
  const beside = typed && scalarOf(typed.type);
  const isNegative = values.some((value) => value.kind === "abstract" && (value.value ?? 0) < 0);
  const scalar = input.access.kind === "offsets" || isNegative ? "i32" : (beside ?? "u32");
  return load(
    name,
    input,
    values.map((value) => settleAs(value, scalar)),
    span,
  );
}
