import { CrinkleError } from "../../../core/errors.ts";
import type { Triple } from "../../../core/grid.ts";
import type { Implicit } from "../../../core/layers.ts";
import { checkPlane, isFiniteTriple, planeParameters } from "../plane.ts";
import type { CutParameters } from "./cut-parameters.ts";

/** What a cut surface lies on: a plane through a point, or a sphere. Faces against the normal, and outwards. */
export type Cutter = Exclude<Implicit, { readonly kind: "expression" }>;

/** Throws BadArgument where a number is not finite, the normal has no direction, or the radius is not positive. */
export function checkCutter(cutter: Cutter): void {
  if (cutter.kind === "plane") checkPlane(cutter.plane);
  else checkSphere(cutter.center, cutter.radius);
}

function checkSphere(center: Triple, radius: number): void {
  if (isFiniteTriple(center) && Number.isFinite(radius) && radius > 0) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `There is no sphere around (${center.join(", ")}) of radius ${radius}.`,
    remedy: "Choose a finite center and a positive radius.",
  });
}

/** The cutter in the kernels' terms; `center` is the grid's. */
export function cutterParameters(
  cutter: Cutter,
  center: Triple,
): Pick<CutParameters, "is_sphere" | "origin" | "factors" | "level" | "normal"> {
  if (cutter.kind === "plane") {
    const { origin, factors } = planeParameters(cutter.plane, center);
    const length = Math.hypot(...factors);
    return { is_sphere: 0, origin, factors, level: 0, normal: factors.map((c) => (0 - c) / length) };
  }
  const radius = Math.fround(cutter.radius);
  const scale = 2 ** -Math.floor(Math.log2(radius));
  return {
    is_sphere: 1,
    origin: cutter.center.map((c, axis) => c - center[axis]),
    factors: [scale, scale, scale],
    level: -((scale * radius) ** 2),
    normal: [0, 0, 0],
  };
}
