import type { Fragment } from "../../../gpu/shader/fragment.ts";
import { componentsOf, type ValueType } from "../types.ts";
import type { ElementOverload } from "./filter.ts";
import { type MapLoop, repeat, type ZipLoop } from "./loops.ts";

/** What the builders below need beside the twins: types that differ from the usual, WGSL functions. */
export interface OverloadOptions {
  readonly output?: ValueType;
  readonly fragments?: readonly Fragment[];
}

/** `yes` where the condition holds, else `no`. WGSL itself selects among scalars and vectors alone. */
export function select(type: ValueType, no: string, yes: string, condition: string): string {
  return type === "mat3"
    ? `mat3x3f(${[0, 1, 2].map((r) => `select(${no}[${r}], ${yes}[${r}], ${condition})`).join(", ")})`
    : `select(${no}, ${yes}, ${condition})`;
}

/** Applies a function of one number to each component. */
export function mapOverload(
  type: ValueType,
  wgsl: (x: string) => string,
  cpu: MapLoop,
  { output = type, fragments }: OverloadOptions = {},
): ElementOverload {
  const components = componentsOf(type);
  return {
    inputs: [type],
    output,
    fragments,
    wgsl: ([x]) => wgsl(x),
    cpu: ([x], out, count) => cpu(x, out, count * components),
  };
}

/** Applies a function of two numbers to each pair of components; a scalar beside a vector meets all of its components. */
export function zipOverload(
  left: ValueType,
  right: ValueType,
  wgsl: (a: string, b: string, known: readonly (number | undefined)[]) => string,
  cpu: ZipLoop,
  options: OverloadOptions = {},
): ElementOverload {
  const na = componentsOf(left);
  const nb = componentsOf(right);
  const n = Math.max(na, nb);
  return {
    inputs: [left, right],
    output: options.output ?? (na >= nb ? left : right),
    fragments: options.fragments,
    wgsl: ([a, b], known = []) => wgsl(a, b, known),
    cpu([a, b], out, count) {
      if (na < n) repeat(a, out, count, n);
      if (nb < n) repeat(b, out, count, n);
      cpu(na < n ? out : a, nb < n ? out : b, out, count * n);
    },
  };
}

/** A function of whole elements: `cpu` reads `inputs` at given positions and writes one element of `out`. */
export function elementOverload(
  inputs: readonly ValueType[],
  output: ValueType,
  wgsl: (...args: string[]) => string,
  cpu: (args: readonly Float64Array[], at: readonly number[], out: Float64Array, to: number) => void,
  fragments?: readonly Fragment[],
): ElementOverload {
  const widths = inputs.map(componentsOf);
  const width = componentsOf(output);
  return {
    inputs,
    output,
    fragments,
    wgsl: (args) => wgsl(...args),
    cpu(args, out, count) {
      const at = widths.map(() => 0);
      for (let e = 0; e < count; e++) {
        for (let k = 0; k < at.length; k++) at[k] = e * widths[k];
        cpu(args, at, out, e * width);
      }
    },
  };
}
