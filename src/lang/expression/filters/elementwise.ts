import type { ValueType } from "../types.ts";
import type { ElementOverload, FunctionText, ShaderElement } from "./filter.ts";

/** The names of an overload's inputs in its text, in order. */
export const inputNames = ["a", "b", "c", "d"] as const;

/** One typing of an element filter by its text. */
export function overload(
  inputs: readonly ValueType[],
  output: ValueType,
  text: string,
  others: Pick<ElementOverload, "functions" | "shader" | "loop" | "isAccess"> = {},
): ElementOverload {
  return { inputs, output, text, ...others };
}

/** A shader's function of as many arguments. */
export const shaderFunction = (
  name: string,
  callable: FunctionText,
  parameters: "a" | "a, b" = "a",
): ShaderElement => ({ text: `${name}(${parameters})`, functions: [callable] });
