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

/** `yes` where the condition holds, else `no`. Texts select among scalars and vectors alone. */
export const select = (type: ValueType, no: string, yes: string, condition: string): string =>
  type === "mat3"
    ? `mat3x3<real>(${[0, 1, 2].map((r) => `select(${no}[${r}], ${yes}[${r}], ${condition})`).join(", ")})`
    : `select(${no}, ${yes}, ${condition})`;
