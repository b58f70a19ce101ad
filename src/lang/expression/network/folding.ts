import type { ElementLoop, ElementOverload, StencilFilter, StencilOverload } from "../filters/filter.ts";
import { componentsOf } from "../types.ts";
import type { NetworkNode } from "./network.ts";

/** The loops of element filters, which are made with the kernel layer. */
export type LoopOf = (overload: ElementOverload) => ElementLoop;

/** The element function's value where all inputs are constants, by its loop. */
export function foldElement(
  overload: ElementOverload,
  inputs: readonly NetworkNode[],
  loopOf: LoopOf,
): number[] | undefined {
  const values: Float64Array[] = [];
  for (const input of inputs) {
    if (input.kind !== "constant") return undefined;
    values.push(Float64Array.from(input.values));
  }
  const out = new Float64Array(componentsOf(overload.output));
  loopOf(overload)(values, out, 1);
  return [...out];
}

/** A stencil's value over a constant. */
export function foldStencil(
  { isDerivative }: StencilFilter,
  overload: StencilOverload,
  input: NetworkNode,
): readonly number[] | undefined {
  if (input.kind !== "constant") return undefined;
  return isDerivative ? new Array<number>(componentsOf(overload.output)).fill(0) : input.values;
}
