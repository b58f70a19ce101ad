import type { Bounds, Triple } from "./grid.ts";
import type { CameraState, Viewport } from "./view.ts";

/** Pixels of the view, CSS or device. */
export interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** The pixels of a view, at least one. */
export function pixelsOf({ width, height, pixelRatio }: Viewport): ViewSize {
  return {
    width: Math.max(1, Math.round(width * pixelRatio)),
    height: Math.max(1, Math.round(height * pixelRatio)),
  };
}

/** Half the field of view of the view's smaller side. */
export const tanHalfView = Math.tan((15 * Math.PI) / 180);
/** Right, up and towards the eye, as unit vectors. */
export interface ViewBasis {
  readonly right: Triple;
  readonly up: Triple;
  readonly back: Triple;
}

export function viewBasis({ azimuth, elevation }: CameraState): ViewBasis {
  const ca = Math.cos(azimuth);
  const sa = Math.sin(azimuth);
  const ce = Math.cos(elevation);
  const se = Math.sin(elevation);
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], back: [ce * ca, ce * sa, se] };
}

export function eyePosition(camera: CameraState): Triple {
  const { back } = viewBasis(camera);
  const { target, distance } = camera;
  return [target[0] + distance * back[0], target[1] + distance * back[1], target[2] + distance * back[2]];
}

/** Half extents of the view at distance 1. */
export function viewTangents({ width, height }: ViewSize): readonly [tanX: number, tanY: number] {
  const smaller = Math.min(width, height);
  return [(tanHalfView * width) / smaller, (tanHalfView * height) / smaller];
}

/** Where something is on the screen, in pixels from the view's upper left. */
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
  /** How many pixels a physical length of 1 is long there, across the line of sight. */
  readonly pixelsPerUnit: number;
}

/** Where a point (physical units) of data with these bounds is seen; undefined where it lies behind the eye. */
export function projectPoint(
  point: Triple,
  bounds: Bounds,
  camera: CameraState,
  size: ViewSize,
): ScreenPoint | undefined {
  const extent = (axis: number) => bounds[2 * axis + 1] - bounds[2 * axis];
  const diagonal = Math.hypot(extent(0), extent(1), extent(2)) || 1;
  const eye = eyePosition(camera);
  const fromEye = point.map((p, axis) => (p - bounds[2 * axis] - 0.5 * extent(axis)) / diagonal - eye[axis]);
  const along = (direction: Triple) => direction.reduce((sum, d, axis) => sum + d * fromEye[axis], 0);
  const { right, up, back } = viewBasis(camera);
  const depth = -along(back);
  if (!(depth > 0)) return undefined;
  const [tanX, tanY] = viewTangents(size);
  const across = along(right) / (depth * tanX) + camera.center[0];
  const upward = along(up) / (depth * tanY) + camera.center[1];
  return {
    x: 0.5 * (1 + across) * size.width,
    y: 0.5 * (1 - upward) * size.height,
    pixelsPerUnit: (0.5 * size.width) / (tanX * depth * diagonal),
  };
}
