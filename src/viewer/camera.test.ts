import { describe, expect, test } from "vitest";
import type { Triple } from "../core/grid.ts";
import { expectArraysClose } from "../core/testing/compare.ts";
import type { ViewDirection } from "../core/view.ts";
import {
  eyePosition,
  fitBox,
  type OrbitCamera,
  orbit,
  pan,
  setProjectionMatrix,
  setViewMatrix,
  viewBasis,
  zoom,
} from "./camera.ts";
import { multiply, transformPoint } from "./matrix.ts";

const size = { width: 800, height: 500 };
const all = (margin: number) => ({ left: margin, right: margin, top: margin, bottom: margin });
const cube: Triple = [0.25, 0.25, 0.25];

/** Where a scene point appears: CSS pixels from the upper left, and depth from 0 to 1. */
function onScreen(camera: OrbitCamera, point: Triple, { width, height } = size): Triple {
  const view = setViewMatrix(camera, new Float64Array(16));
  const projection = setProjectionMatrix(camera, { width, height }, new Float64Array(16));
  const out = new Float64Array(4);
  transformPoint(multiply(projection, view, new Float64Array(16)), ...point, out);
  const [x, y, z, w] = out;
  return [0.5 * width * (1 + x / w), 0.5 * height * (1 - y / w), z / w];
}

function corners(half: Triple): Triple[] {
  return Array.from({ length: 8 }, (_, i) => [
    i & 1 ? half[0] : -half[0],
    i & 2 ? half[1] : -half[1],
    i & 4 ? half[2] : -half[2],
  ]);
}

describe("camera", () => {
  test.each<[ViewDirection, right: Triple, up: Triple, back: Triple]>([
    ["+x", [0, 1, 0], [0, 0, 1], [1, 0, 0]],
    ["-x", [0, -1, 0], [0, 0, 1], [-1, 0, 0]],
    ["+y", [-1, 0, 0], [0, 0, 1], [0, 1, 0]],
    ["-y", [1, 0, 0], [0, 0, 1], [0, -1, 0]],
    ["+z", [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    ["-z", [1, 0, 0], [0, -1, 0], [0, 0, -1]],
  ])("looks from %s without roll", (direction, right, up, back) => {
    const basis = viewBasis(fitBox(cube, direction, size, all(0)));
    expectArraysClose(basis.right, right, { absolute: 1e-12 });
    expectArraysClose(basis.up, up, { absolute: 1e-12 });
    expectArraysClose(basis.back, back, { absolute: 1e-12 });
  });

  test("the target is in the middle of the view, between near and far", () => {
    const camera: OrbitCamera = {
      azimuth: 0.7,
      elevation: -0.4,
      distance: 2,
      target: [0.1, -0.2, 0.05],
      center: [0, 0],
    };
    const [x, y, depth] = onScreen(camera, camera.target);
    expectArraysClose([x, y], [400, 250], { absolute: 1e-9 });
    const aside = onScreen({ ...camera, center: [-0.25, 0.1] }, camera.target);
    expectArraysClose(aside.slice(0, 2), [300, 225], { absolute: 1e-9 });
    expect(depth).toBeGreaterThan(0);
    expect(depth).toBeLessThan(1);
  });

  test.each<Triple>([
    [0.289, 0.289, 0.289],
    [0.5, 0.001, 0.0001],
    [0.01, 0.02, 0.4995],
  ])("a fitted box of half extents %s fills the view up to its margin", (...half) => {
    for (const direction of ["default", "+x", "-y", "+z"] as const) {
      for (const view of [size, { width: 390, height: 700 }]) {
        const camera = fitBox(half, direction, view, all(40));
        const points = corners(half).map((corner) => onScreen(camera, corner, view));
        const freeX = Math.min(...points.map(([x]) => Math.min(x, view.width - x)));
        const freeY = Math.min(...points.map(([, y]) => Math.min(y, view.height - y)));
        expect(Math.min(freeX, freeY)).toBeCloseTo(40, 6);
        for (const [, , depth] of points) expect(depth > 0 && depth < 1).toBe(true);
      }
    }
  });

  test("a wide box moves aside for what stands at an edge, a tall one stays in the middle", () => {
    const view = { width: 1000, height: 800 };
    const insets = { left: 50, right: 200, top: 30, bottom: 60 };
    const spans = (half: Triple) => {
      const camera = fitBox(half, "-y", view, insets);
      const points = corners(half).map((corner) => onScreen(camera, corner, view));
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
      return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    };
    const [left, right, high, low] = spans([0.5, 0.05, 0.05]);
    expectArraysClose([left, right], [50, 800], { absolute: 1e-3 });
    expect(high + low).toBeCloseTo(30 + 740, 6);
    expectArraysClose(spans([0.1, 0.05, 0.5]).slice(2), [30, 740], { absolute: 1e-3 });
    expect(spans([0.1, 0.05, 0.5])[0]).toBeCloseTo(1000 - spans([0.1, 0.05, 0.5])[1], 6);
  });

  test("a flat box is seen face-on by default", () => {
    expectArraysClose(viewBasis(fitBox([0.3, 0.4, 0], "default", size, all(0))).back, [0, 0, 1], {
      absolute: 1e-12,
    });
    expectArraysClose(viewBasis(fitBox([0, 0.3, 0.4], "default", size, all(0))).back, [1, 0, 0], {
      absolute: 1e-12,
    });
  });

  test("an orbit moves the near side with the pointer and stops at the poles", () => {
    const camera = fitBox(cube, "-y", size, all(0));
    const near: Triple = [0, -0.2, 0];
    const [x0, y0] = onScreen(camera, near);
    const [x1] = onScreen(orbit(camera, 30, 0), near);
    const [, y2] = onScreen(orbit(camera, 0, 30), near);
    expect(x1).toBeGreaterThan(x0);
    expect(y2).toBeGreaterThan(y0);
    const above = orbit(camera, 0, 1e4);
    expectArraysClose(viewBasis(above).up, [0, 1, 0], { absolute: 1e-12 });
    expectArraysClose(eyePosition(above), [0, 0, camera.distance], { absolute: 1e-12 });
  });

  test("a pan takes the target's point along with the pointer", () => {
    const camera = fitBox(cube, "default", size, all(0));
    const [x0, y0] = onScreen(camera, camera.target);
    const [x, y] = onScreen(pan(camera, 37, -21, size), camera.target);
    expectArraysClose([x, y], [x0 + 37, y0 - 21], { absolute: 0.5 });
  });

  test("zooming by two shows the target's surroundings twice as large", () => {
    const camera = fitBox(cube, "-y", size, all(0));
    const [x1] = onScreen(camera, [0.1, 0, 0]);
    const [x2] = onScreen(zoom(camera, 2), [0.1, 0, 0]);
    expect((x2 - 400) / (x1 - 400)).toBeCloseTo(2, 9);
    expect(zoom(camera, 1e9).distance).toBeGreaterThan(0);
    expect(zoom(camera, 1e-9).distance).toBeLessThan(100);
  });
});
