import type { Triple } from "../core/grid.ts";
import type { ViewDirection } from "../core/view.ts";
import { type Matrix4, setPerspective } from "./matrix.ts";

/**
 * A turntable: the eye looks at `target` from `distance`, `azimuth` around z from +x, `elevation` above the
 * xy plane (radians). The screen's up stays in the plane of the view and z, poles included, so nothing rolls.
 * Lengths are in scene units, in which the data's box has a diagonal of 1.
 */
export interface OrbitCamera {
  readonly azimuth: number;
  readonly elevation: number;
  readonly distance: number;
  readonly target: Triple;
}

/** Pixels of the view, CSS or device, and what of its edges a fit leaves free. */
export interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** Half the field of view of the view's smaller side. */
const tanHalfView = Math.tan((15 * Math.PI) / 180);
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

/** Right, up and towards the eye, as unit vectors. */
export interface ViewBasis {
  readonly right: Triple;
  readonly up: Triple;
  readonly back: Triple;
}

export function viewBasis({ azimuth, elevation }: OrbitCamera): ViewBasis {
  const ca = Math.cos(azimuth);
  const sa = Math.sin(azimuth);
  const ce = Math.cos(elevation);
  const se = Math.sin(elevation);
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], back: [ce * ca, ce * sa, se] };
}

export function eyePosition(camera: OrbitCamera): Triple {
  const { back } = viewBasis(camera);
  const { target, distance } = camera;
  return [target[0] + distance * back[0], target[1] + distance * back[1], target[2] + distance * back[2]];
}

/** Half extents of the view at distance 1. */
function viewTangents({ width, height }: ViewSize): readonly [tanX: number, tanY: number] {
  const smaller = Math.min(width, height);
  return [(tanHalfView * width) / smaller, (tanHalfView * height) / smaller];
}

/** How far the scene is moved up in a tall view, which has room above and legends below; of half the height. */
function raise({ width, height }: ViewSize): number {
  return 0.25 * Math.max(0, 1 - width / height);
}

/** How far the scene is moved to the left in a large view, which has legends on the right; of half the width. */
function aside({ width, height }: ViewSize): number {
  return width > height ? 0.08 * Math.min(1, Math.max(0, (width - 800) / 100)) : 0;
}

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
 * Looks from `direction` at the middle of a box with these half extents, just far enough to see all of it
 * with `margin` pixels free at each edge of the view. A flat box is seen face-on by default.
 */
export function fitBox(half: Triple, direction: ViewDirection, size: ViewSize, margin: number): OrbitCamera {
  const flat = half.indexOf(0);
  const faceOn = (["+x", "-y", "+z"] as const)[flat];
  const [azimuth, elevation] = directions[direction === "default" && faceOn ? faceOn : direction];
  const camera: OrbitCamera = { azimuth, elevation, distance: 1, target: [0, 0, 0] };
  const { right, up, back } = viewBasis(camera);
  const [tanX, tanY] = viewTangents(size);
  const usableX = tanX * Math.max(0.3, 1 - aside(size) - (2 * margin) / size.width);
  const usableY = tanY * Math.max(0.3, 1 - raise(size) - (2 * margin) / size.height);
  let distance = 0.05;
  for (let corner = 0; corner < 8; corner++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let axis = 0; axis < 3; axis++) {
      const c = corner & (1 << axis) ? half[axis] : -half[axis];
      x += c * right[axis];
      y += c * up[axis];
      z += c * back[axis];
    }
    distance = Math.max(distance, z + Math.abs(x) / usableX, z + Math.abs(y) / usableY);
  }
  return { ...camera, distance };
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
  out[8] = aside(size);
  out[9] = -raise(size);
  return out;
}
