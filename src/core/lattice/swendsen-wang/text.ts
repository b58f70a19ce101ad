/** Kernel text of lattices whose clusters are drawn anew (Swendsen and Wang 1987), of passes and of kernels over primitives alike. */
import { stridesOf } from "../../hypercube/shape.ts";
import { philoxText } from "../philox.ts";

/** Streams of random numbers. */
export const streams = { bonds: 0, start: 1, clusters: 2 } as const;

/** Statements, and functions that they call. */
export interface KernelText {
  readonly text: string;
  readonly functions: string;
}

/** The functions `above_i(site)` and `below_i(site)`, the sites beside a site along axis i. */
export const besideText = (lengths: readonly number[]): string =>
  stridesOf(lengths)
    .map((stride, axis) => {
      const length = lengths[axis];
      const far = stride * (length - 1);
      const coordinate = `(site / ${stride}u) % ${length}u`;
      return `
fn above_${axis}(site: u32) -> u32 {
  return select(site + ${stride}u, site - ${far}u, ${coordinate} == ${length - 1}u);
}
fn below_${axis}(site: u32) -> u32 {
  return select(site - ${stride}u, site + ${far}u, ${coordinate} == 0u);
}`;
    })
    .join("");

/** Sets `states` at random. */
export const randomText = (states: number): KernelText => ({
  text: `let random = philox(vec4u(element, 0u, 0u, ${streams.start}u), constants.seed);
out.states = upper_product(random.x, ${states}u);`,
  functions: philoxText,
});

/** Bonds whose ends agree, and how many sites are in each state. */
export const sumsText = (lengths: readonly number[], states: number): KernelText => ({
  text: `let own = states(element);
out.agreeing = ${lengths.map((_, axis) => `u32(states(above_${axis}(element)) == own)`).join(" + ")};
${Array.from({ length: states }, (_, state) => `out.count_${state} = u32(own == ${state}u);`).join("\n")}`,
  functions: besideText(lengths),
});
