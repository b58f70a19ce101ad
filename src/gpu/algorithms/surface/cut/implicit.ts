import { CrinkleError } from "../../../../core/errors.ts";
import type { Triple } from "../../../../core/grid.ts";
import type { Implicit } from "../../../../core/layers.ts";
import type { CutParameters } from "./cut-parameters.ts";

/** What a cut surface lies on: a plane through a point, or a sphere. Faces along the normal, and outwards. */
export type Cutter = Exclude<Implicit, { readonly kind: "expression" }>;

const isFiniteTriple = (triple: Triple) => triple.every(Number.isFinite);

/** Throws BadArgument where a number is not finite, the normal has no direction, or the radius is not positive. */
export function checkCutter(cutter: Cutter): void {
  if (cutter.kind === "plane") {
    const { origin, normal } = cutter.plane;
    if (isFiniteTriple(origin) && isFiniteTriple(normal) && normal.some((n) => n !== 0)) return;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `There is no plane through (${origin.join(", ")}) across (${normal.join(", ")}).`,
      remedy: "Choose finite numbers, and a normal other than zero.",
    });
  }
  if (isFiniteTriple(cutter.center) && Number.isFinite(cutter.radius) && cutter.radius > 0) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `There is no sphere around (${cutter.center.join(", ")}) of radius ${cutter.radius}.`,
    remedy: "Choose a finite center and a positive radius.",
  });
}

/** A vector's multiple whose largest component is ±1. */
function withLargestOne(v: Triple): Triple {
  const largest = Math.max(...v.map(Math.abs));
  return v.map((c) => c / largest) as unknown as Triple;
}

/** The cutter in the kernels' terms; `center` is the grid's. */
export function cutterParameters(
  cutter: Cutter,
  center: Triple,
): Pick<CutParameters, "is_sphere" | "origin" | "factors" | "level" | "normal"> {
  const relative = (point: Triple) => point.map((c, axis) => c - center[axis]);
  if (cutter.kind === "plane") {
    const factors = withLargestOne(cutter.plane.normal);
    const length = Math.hypot(...factors);
    const normal = factors.map((c) => c / length);
    return { is_sphere: 0, origin: relative(cutter.plane.origin), factors, level: 0, normal };
  }
  const radius = Math.fround(cutter.radius);
  const scale = 2 ** -Math.floor(Math.log2(radius));
  return {
    is_sphere: 1,
    origin: relative(cutter.center),
    factors: [scale, scale, scale],
    level: (scale * radius) ** 2,
    normal: [0, 0, 0],
  };
}
