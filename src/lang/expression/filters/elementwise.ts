import type { Fragment } from "../../../gpu/shader/fragment.ts";
import type { ValueType } from "../types.ts";
import type { ElementOverload, ShaderElement } from "./filter.ts";

/** One typing of an element filter by its text. */
export function overload(
  inputs: readonly ValueType[],
  output: ValueType,
  text: string,
  others: Pick<ElementOverload, "functions" | "shader" | "loop" | "isAccess"> = {},
): ElementOverload {
  return { inputs, output, text, ...others };
}

/** A shader's function of the arguments. */
export const shaderFunction = (name: string, ...fragments: readonly Fragment[]): ShaderElement => ({
  wgsl: (args) => `${name}(${args.join(", ")})`,
  fragments,
});
