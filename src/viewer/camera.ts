import type { Triple } from "../core/grid.ts";
import {
  eyePosition,
  tanHalfView,
  type ViewBasis,
  type ViewSize,
  viewBasis,
  viewTangents,
} from "../core/projection.ts";
import type { CameraState, ViewDirection } from "../core/view.ts";
import { type Matrix4, setPerspective } from "./matrix.ts";

export { eyePosition, type ViewSize, viewBasis };

/**
 * A turntable: the screen's up stays in the plane of the view and z, poles included, so nothing rolls.
 * Lengths are in scene units, in which the data's box has a diagonal of 1.
 */
export type OrbitCamera = CameraState;

/** Pixels that a fit leaves free at the edges of the view. */
export interface Insets {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const radiansPerPixel = 0.008;
const pole = Math.PI / 2;

const directions: Readonly<Record<ViewDirection, readonly [azimuth: number, elevation: number]>> = {
  default: [-Math.PI / 3, Math.PI / 7],
  "+x": [0, 0],
  "-x": [Math.PI, 0],
  "+y": [pole, 0],
  "-y": [-pole, 0],
  "+z": [-pole, pole],
  "-z": [-pole, -pole],
};

/** Drags the scene by CSS pixels: it follows the pointer. */
export function orbit(camera: OrbitCamera, dx: number, dy: number): OrbitCamera {
  const azimuth = (camera.azimuth - dx * radiansPerPixel) % (2 * Math.PI);
  const elevation = Math.min(pole, Math.max(-pole, camera.elevation + dy * radiansPerPixel));
  return { ...camera, azimuth, elevation };
}

/** Moves the scene in the view's plane so that the target's point stays under the pointer. */
export function pan(camera: OrbitCamera, dx: number, dy: number, size: ViewSize): OrbitCamera {
  const { right, up } = viewBasis(camera);
  const perPixel = (2 * tanHalfView * camera.distance) / Math.min(size.width, size.height);
  const along = (axis: number) => camera.target[axis] + perPixel * (dy * up[axis] - dx * right[axis]);
  return { ...camera, target: [along(0), along(1), along(2)] };
}

/** A factor above 1 comes nearer. */
export function zoom(camera: OrbitCamera, factor: number): OrbitCamera {
  return { ...camera, distance: Math.min(40, Math.max(0.01, camera.distance / factor)) };
}

/**
 * Looks from `direction` at the middle of a box with these half extents, just far enough to see all of it between the
 * insets: centred between left and right if they allow it, and centred in the free height. A flat box is seen face-on
 * by default.
 */
export function fitBox(half: Triple, direction: ViewDirection, size: ViewSize, insets: Insets): OrbitCamera {
  const flat = half.indexOf(0);
  const faceOn = (["+x", "-y", "+z"] as const)[flat];
  const [azimuth, elevation] = directions[direction === "default" && faceOn ? faceOn : direction];
  const camera: OrbitCamera = { azimuth, elevation, distance: 1, target: [0, 0, 0], center: [0, 0] };
  const corners = cornersInView(half, viewBasis(camera));
  const [tanX, tanY] = viewTangents(size);
  const [left, right] = [-1 + (2 * insets.left) / size.width, 1 - (2 * insets.right) / size.width];
  const [bottom, top] = [-1 + (2 * insets.bottom) / size.height, 1 - (2 * insets.top) / size.height];
  const fits = (distance: number): boolean => {
    const [x0, x1] = spanAt(corners, distance, 0, tanX);
    const [y0, y1] = spanAt(corners, distance, 1, tanY);
    return x1 - x0 <= right - left && y1 - y0 <= top - bottom;
  };
  let near = Math.max(0.05, ...corners.map(([, , z]) => z + 1e-6));
  let far = 40;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (near + far);
    if (fits(middle)) far = middle;
    else near = middle;
  }
  const [x0, x1] = spanAt(corners, far, 0, tanX);
  const [y0, y1] = spanAt(corners, far, 1, tanY);
  const across = Math.min(right - x1, Math.max(left - x0, -0.5 * (x0 + x1)));
  return { ...camera, distance: far, center: [across, 0.5 * (bottom + top - y0 - y1)] };
}

/** The corners of a box around the target: right, up and towards the eye. */
function cornersInView(half: Triple, { right, up, back }: ViewBasis): Triple[] {
  return Array.from({ length: 8 }, (_, corner) => {
    const along = (direction: Triple) =>
      direction.reduce((sum, d, axis) => sum + d * (corner & (1 << axis) ? half[axis] : -half[axis]), 0);
    return [along(right), along(up), along(back)];
  });
}

/** The range that points cover on the screen, in halves of the view. */
function spanAt(points: readonly Triple[], distance: number, axis: 0 | 1, tan: number): [number, number] {
  const seen = points.map((point) => point[axis] / ((distance - point[2]) * tan));
  return [Math.min(...seen), Math.max(...seen)];
}

/** World to view: x right, y up, z towards the eye. */
export function setViewMatrix(camera: OrbitCamera, out: Matrix4): Matrix4 {
  const { right, up, back } = viewBasis(camera);
  const eye = eyePosition(camera);
  const rows = [right, up, back];
  out.fill(0);
  for (let row = 0; row < 3; row++) {
    for (let axis = 0; axis < 3; axis++) {
      out[axis * 4 + row] = rows[row][axis];
      out[12 + row] -= rows[row][axis] * eye[axis];
    }
  }
  out[15] = 1;
  return out;
}

/** The perspective whose near and far planes hold a sphere of radius 0.5 around the origin. `size`: CSS pixels. */
export function setProjectionMatrix(camera: OrbitCamera, size: ViewSize, out: Matrix4): Matrix4 {
  const middle = Math.hypot(...eyePosition(camera));
  const radius = 0.51;
  const far = middle + radius;
  const near = Math.max(middle - radius, 1e-3 * Math.min(far, camera.distance + radius));
  const [tanX, tanY] = viewTangents(size);
  setPerspective(out, tanX, tanY, near, far);
  out[8] = -camera.center[0];
  out[9] = -camera.center[1];
  return out;
}
