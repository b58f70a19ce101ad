/** Kernel text and maps of models with a number or several at each site, in the lattice's own order. */
import type { IndexMap } from "../hypercube/index-map.ts";
import { stridesOf } from "../hypercube/shape.ts";
import { badArgument } from "../primitives/checks.ts";
import { besideMaps, besideNames } from "./axes.ts";
import type { Parameter } from "./model.ts";

/** Maps `below_i_of` and `above_i_of`, from an element to its neighbours along axis i of periodic lengths. */
export const siteMaps = (lengths: readonly number[]): Record<string, IndexMap> =>
  Object.fromEntries(Object.entries(besideMaps(lengths)).map(([name, map]) => [`${name}_of`, map]));

/** Statements that declare the numbers of an element's neighbours: `below_i` and `above_i` along axis i. */
export const siteText = (axes: number): string =>
  besideNames(axes)
    .map((name) => `let ${name} = ${name}_of(element);`)
    .join("\n");

/** The sum of the differences of an array's values at the neighbours to that at the element itself, `own`. */
export const laplacianText = (array: string, own: string, axes: number): string =>
  `(${besideNames(axes)
    .map((name) => `(${array}(${name}) - ${own})`)
    .join(" + ")})`;

/** Whether all x_i of a site are from 3/8 to 5/8 of the length: a condition on its number, an expression of u32. */
export function middleText(lengths: readonly number[], site: string): string {
  const strides = stridesOf(lengths);
  return lengths
    .map((length, axis) => {
      const [first, end] = [Math.floor((3 * length) / 8), Math.ceil((5 * length) / 8)];
      return `((${site} / ${strides[axis]}u) % ${length}u) - ${first}u < ${end - first}u`;
    })
    .join(" && ");
}

/** A uniform number from 0 to 1 of an element, f32, of a stream at the start; `philoxText` is declared beside it. */
export const startNoise = (stream: number): string =>
  `f32(philox(vec4u(element, 0u, 0u, ${stream}u), constants.seed).x >> 8u) / 16777216.0`;

/** Of explicit steps; `byAxes` has the usual ones on 1, 2, … axes, where they are shorter on many. */
export const stepParameter = (usual: number, max: number, byAxes?: readonly number[]): Parameter => ({
  label: "Time step",
  meaning: "the step in time",
  default: usual,
  ...(byAxes && { defaultByAxes: byAxes }),
  min: 1e-6,
  max,
});

/** Throws BadArgument where an explicit step in time is longer than it may be; `why` names what limits it. */
export function checkStep(step: number, limit: number, why: string): void {
  if (step <= limit) return;
  const most = Number(limit.toPrecision(5));
  throw badArgument(`Steps of ${step} are unstable ${why}.`, `Give a step of at most ${most}.`);
}
