import { CrinkleError } from "../../core/errors.ts";
import type { Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";

export const isFiniteTriple = (triple: Triple): boolean => triple.every(Number.isFinite);

/** Throws BadArgument where a number is not finite, or the normal has no direction. */
export function checkPlane({ origin, normal }: Plane): void {
  if (isFiniteTriple(origin) && isFiniteTriple(normal) && normal.some((n) => n !== 0)) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `There is no plane through (${origin.join(", ")}) across (${normal.join(", ")}).`,
    remedy: "Choose finite numbers, and a normal other than zero.",
  });
}

/** How kernels see a plane: (position − origin) · factors is positive on its positive side. */
export interface PlaneParameters {
  /** Relative to the grid's center. */
  readonly origin: Triple;
  /** Along the normal, the largest component ±1. */
  readonly factors: Triple;
}

export function planeParameters({ origin, normal }: Plane, center: Triple): PlaneParameters {
  const largest = Math.max(...normal.map(Math.abs));
  return {
    origin: [origin[0] - center[0], origin[1] - center[1], origin[2] - center[2]],
    factors: [normal[0] / largest, normal[1] / largest, normal[2] / largest],
  };
}
