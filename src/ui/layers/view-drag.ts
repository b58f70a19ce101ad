import type { Bounds, Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import { projectPoint, type ViewSize, viewBasis } from "../../core/projection.ts";
import type { CameraState } from "../../core/view.ts";
import { along, atOffset, normalized, planeOffset } from "./plane-math.ts";

/** The camera, the data's bounds and the size of the view. */
export interface Sight {
  readonly bounds: Bounds;
  readonly camera: CameraState;
  readonly size: ViewSize;
}

/** CSS pixels, y downwards. */
export interface Motion {
  readonly dx: number;
  readonly dy: number;
}

/** The drawn length of a plane's normal, in physical units. */
function normalLength([x0, x1, y0, y1, z0, z1]: Bounds): number {
  return 0.16 * (Math.hypot(x1 - x0, y1 - y0, z1 - z0) || 1);
}

/** The end of the normal that is drawn at a plane's origin. */
export function normalTip({ origin, normal }: Plane, bounds: Bounds): Triple {
  return along(origin, normalLength(bounds), normalized(normal));
}

/** Drags a plane's origin: the plane moves along its normal, following the drag's component along it on the screen. */
export function draggedPlane(plane: Plane, { dx, dy }: Motion, sight: Sight): Plane {
  const start = projectPoint(plane.origin, sight.bounds, sight.camera, sight.size);
  const end = projectPoint(normalTip(plane, sight.bounds), sight.bounds, sight.camera, sight.size);
  if (!start || !end) return plane;
  const length = normalLength(sight.bounds);
  const [vx, vy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const square = vx * vx + vy * vy;
  // A normal that points at the eye projects to a point: upwards then means nearer.
  const isSeen = square > (0.15 * start.pixelsPerUnit) ** 2;
  const step = isSeen ? (dx * vx + dy * vy) / square : -dy / start.pixelsPerUnit;
  const { value, min, max } = planeOffset(plane, sight.bounds);
  return atOffset(plane, sight.bounds, Math.min(max, Math.max(min, value + step)));
}

/** Drags the end of a plane's normal: the plane turns about its origin. */
export function turnedPlane(plane: Plane, motion: Motion, sight: Sight): Plane {
  const tip = draggedPoint(normalTip(plane, sight.bounds), motion, sight);
  const normal = normalized(along(tip, -1, plane.origin));
  return normal.every(Number.isFinite) ? { origin: plane.origin, normal } : plane;
}

/** Drags a point perpendicular to the line of sight. */
export function draggedPoint(point: Triple, { dx, dy }: Motion, { bounds, camera, size }: Sight): Triple {
  const seen = projectPoint(point, bounds, camera, size);
  if (!seen) return point;
  const { right, up } = viewBasis(camera);
  return along(along(point, dx / seen.pixelsPerUnit, right), -dy / seen.pixelsPerUnit, up);
}
