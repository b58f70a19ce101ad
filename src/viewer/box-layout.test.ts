import { describe, expect, test } from "vitest";
import type { Bounds, Triple } from "../core/grid.ts";
import { type BoxLayout, type BoxView, layoutBox } from "./box-layout.ts";
import {
  eyePosition,
  fitBox,
  type OrbitCamera,
  orbit,
  setProjectionMatrix,
  setViewMatrix,
} from "./camera.ts";
import { multiply, transformPoint } from "./matrix.ts";

const size = { width: 800, height: 600 };
const margins = { left: 60, right: 60, top: 60, bottom: 60 };
const lineHeight = 15;

function boxOf(bounds: Bounds, units = "") {
  const extents = [0, 1, 2].map((axis) => bounds[2 * axis + 1] - bounds[2 * axis]);
  const diagonal = Math.hypot(...extents);
  const half = extents.map((extent) => (0.5 * extent) / diagonal) as unknown as Triple;
  return { half, bounds, units };
}

function viewOf(camera: OrbitCamera): BoxView {
  const view = setViewMatrix(camera, new Float64Array(16));
  const projection = setProjectionMatrix(camera, size, new Float64Array(16));
  const matrix = multiply(projection, view, new Float64Array(16));
  return { matrix, eye: eyePosition(camera), ...size, measure: (text) => 7 * text.length, lineHeight };
}

/** Signed distance of a screen point from the convex hull of the box's corners: positive outside. */
function distanceFromBox(x: number, y: number, half: Triple, { matrix }: BoxView): number {
  const corners = Array.from({ length: 8 }, (_, i) => {
    const out = new Float64Array(4);
    const at = (axis: number) => (i & (1 << axis) ? half[axis] : -half[axis]);
    transformPoint(matrix, at(0), at(1), at(2), out);
    return [0.5 * size.width * (1 + out[0] / out[3]), 0.5 * size.height * (1 - out[1] / out[3])];
  });
  // The hull's separating directions: the widest gap over many directions is the distance to it.
  let widest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < 720; i++) {
    const direction = [Math.cos((Math.PI * i) / 360), Math.sin((Math.PI * i) / 360)];
    const reach = Math.max(...corners.map(([cx, cy]) => direction[0] * cx + direction[1] * cy));
    widest = Math.max(widest, direction[0] * x + direction[1] * y - reach);
  }
  return widest;
}

const titles = (layout: BoxLayout) => layout.labels.filter(({ isTitle }) => isTitle).map(({ text }) => text);

describe("layoutBox", () => {
  test.each<[string, Bounds]>([
    ["a cube", [0, 1, 0, 1, 0, 1]],
    ["a plate", [0, 40, 0, 30, 0, 2]],
    ["a rod", [0, 1, 0, 1, -8, 8]],
    ["nanometres", [-1e-9, 1e-9, 0, 3e-9, 0, 2e-9]],
  ])("labels of %s lie outside it and apart from each other, from wherever it is seen", (_, bounds) => {
    const box = boxOf(bounds);
    for (let step = 0; step < 40; step++) {
      const camera = orbit(fitBox(box.half, "default", size, margins), 41 * step, 90 * Math.sin(step));
      const view = viewOf(camera);
      const { labels } = layoutBox(box, view);
      expect(labels.length).toBeGreaterThan(2);
      for (const [i, label] of labels.entries()) {
        expect(distanceFromBox(label.x, label.y, box.half, view)).toBeGreaterThan(5);
        for (const other of labels.slice(0, i)) {
          if (label.isTitle) continue;
          const isApart =
            Math.abs(label.x - other.x) >= 0.5 * (label.width + other.width) ||
            Math.abs(label.y - other.y) >= 0.5 * (label.height + other.height);
          expect(isApart).toBe(true);
        }
      }
    }
  });

  test("ticks stand where their numbers are", () => {
    const box = boxOf([10, 14, 0, 4, 0, 4]);
    const { tickPositions, labels } = layoutBox(box, viewOf(fitBox(box.half, "default", size, margins)));
    const first = labels[0];
    expect(first.text).toBe("10");
    expect(tickPositions[0][0]).toBeCloseTo(-box.half[0], 12);
    expect(tickPositions[0].at(-1)).toBeCloseTo(box.half[0], 12);
  });

  test("an axis that points at the eye has no labels, the others have their units", () => {
    const box = boxOf([0, 1, 0, 1, 0, 1e-9], "m");
    const cube = boxOf([0, 1, 0, 1, 0, 1], "m");
    expect(titles(layoutBox(cube, viewOf(fitBox(cube.half, "+z", size, margins))))).toEqual([
      "x (m)",
      "y (m)",
    ]);
    expect(titles(layoutBox(box, viewOf(fitBox(box.half, "+x", size, margins))))).toEqual(["y (m)"]);
    const small = boxOf([0, 1e-9, 0, 1e-9, 0, 1e-9], "m");
    expect(titles(layoutBox(small, viewOf(fitBox(small.half, "+z", size, margins))))).toEqual([
      "x (×10⁻⁹ m)",
      "y (×10⁻⁹ m)",
    ]);
  });

  test("edges are twelve, seven or more of them not before the data; a flat box has four", () => {
    const cube = boxOf([0, 1, 0, 1, 0, 1]);
    const { edges } = layoutBox(cube, viewOf(fitBox(cube.half, "default", size, margins)));
    expect(edges).toHaveLength(12);
    const count = (kind: string) => edges.filter((edge) => edge.kind === kind).length;
    expect([count("front"), count("silhouette"), count("back")]).toEqual([3, 6, 3]);
    const flat = boxOf([0, 2, 0, 1, 3, 3]);
    expect(layoutBox(flat, viewOf(fitBox(flat.half, "default", size, margins))).edges).toHaveLength(4);
  });

  test("an eye inside the box is valid", () => {
    const cube = boxOf([0, 1, 0, 1, 0, 1]);
    const inside: OrbitCamera = {
      azimuth: 0.4,
      elevation: 0.2,
      distance: 0.05,
      target: [0, 0, 0],
      center: [0, 0],
    };
    const { labels } = layoutBox(cube, viewOf(inside));
    for (const { x, y } of labels) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
  });
});
