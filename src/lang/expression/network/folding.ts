import type { ElementLoop, ElementOverload, StencilOverload } from "../filters/filter.ts";
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

/** A stencil over a constant: its value on a grid of one point, which is any grid's. */
export function foldStencil(overload: StencilOverload, input: NetworkNode): number[] | undefined {
  if (input.kind !== "constant") return undefined;
  const out = new Float64Array(componentsOf(overload.output));
  const at = () => Float64Array.of(0);
  overload.cpu(
    {
      dims: [1, 1, 1],
      values: Float64Array.from(input.values),
      components: input.values.length,
      coordinates: [at(), at(), at()],
    },
    0,
    1,
    out,
  );
  return [...out];
}
