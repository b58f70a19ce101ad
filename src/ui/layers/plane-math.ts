import type { Bounds, Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import { centerOf } from "../store/layers/new-layer.ts";

export function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** `a + s b`. */
export function along(a: Triple, s: number, b: Triple): Triple {
  return [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
}

/** The vector at length 1; +x for one of length 0. */
export function normalized(a: Triple): Triple {
  const length = Math.hypot(...a);
  return length > 0 ? along([0, 0, 0], 1 / length, a) : [1, 0, 0];
}

/** The axis that a direction is parallel to, either way; undefined if there is none. */
export function axisOf(normal: Triple): number | undefined {
  const axis = normal.findIndex((n) => n !== 0);
  return normal.every((n, i) => i === axis || n === 0) ? axis : undefined;
}

/**
 * The signed distance of a plane from the box's middle along its unit normal, and how far it can move until it leaves
 * the box.
 */
export function planeOffset(
  { origin, normal }: Plane,
  bounds: Bounds,
): { readonly value: number; readonly min: number; readonly max: number } {
  const unit = normalized(normal);
  const center = centerOf(bounds);
  const half = [0, 1, 2].reduce(
    (sum, axis) => sum + 0.5 * Math.abs(unit[axis]) * (bounds[2 * axis + 1] - bounds[2 * axis]),
    0,
  );
  return { value: dot(along(origin, -1, center), unit), min: -half, max: half };
}

/** The plane at another offset: its origin moves along its normal only. */
export function atOffset(plane: Plane, bounds: Bounds, offset: number): Plane {
  const unit = normalized(plane.normal);
  return { ...plane, origin: along(plane.origin, offset - planeOffset(plane, bounds).value, unit) };
}
