import { expect, test } from "vitest";
import type { Triple } from "../../core/grid.ts";
import { projectPoint } from "../../core/projection.ts";
import { dot, normalized } from "./plane-math.ts";
import { draggedPlane, draggedPoint, normalTip, turnedPlane } from "./view-drag.ts";

const bounds = [0, 2, 0, 4, 0, 6] as const;
const sight = {
  bounds,
  camera: { azimuth: -1, elevation: 0.5, distance: 2, target: [0, 0, 0], center: [0.1, 0] },
  size: { width: 800, height: 600 },
} as const;
const plane = { origin: [1, 2, 3], normal: [1, 1, 0] } as const;
const seen = (point: Triple) => {
  const { x, y } = projectPoint(point, sight.bounds, sight.camera, sight.size) ?? { x: 0, y: 0 };
  return [x, y];
};

test("a point that is dragged stays under the pointer", () => {
  const [x, y] = seen([1, 2, 3]);
  const [movedX, movedY] = seen(draggedPoint([1, 2, 3], { dx: 40, dy: -25 }, sight));
  expect(movedX).toBeCloseTo(x + 40, 6);
  expect(movedY).toBeCloseTo(y - 25, 6);
});

test("a plane that is dragged moves along its normal with the pointer, and stays in the box", () => {
  const [start, end] = [seen(plane.origin), seen(normalTip(plane, bounds))];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const motion = { dx: (5 * (end[0] - start[0])) / length, dy: (5 * (end[1] - start[1])) / length };
  const moved = draggedPlane(plane, motion, sight);
  const [x, y] = seen(moved.origin);
  expect(Math.hypot(x - start[0] - motion.dx, y - start[1] - motion.dy)).toBeLessThan(0.3);
  expect(moved.origin[0] - 1).toBeCloseTo(moved.origin[1] - 2, 12);
  expect(moved.normal).toEqual([1, 1, 0]);
  const far = draggedPlane(plane, { dx: 1e5 * motion.dx, dy: 1e5 * motion.dy }, sight);
  expect(far.origin).toEqual([2.5, 3.5, 3]);
});

test("a normal whose end is dragged points there", () => {
  const turned = turnedPlane(plane, { dx: 30, dy: 10 }, sight);
  expect(turned.origin).toEqual(plane.origin);
  expect(Math.hypot(...turned.normal)).toBeCloseTo(1, 12);
  expect(dot(turned.normal, normalized(plane.normal))).toBeLessThan(0.999);
  const back = turnedPlane(turned, { dx: 0, dy: 0 }, sight);
  expect(dot(back.normal, turned.normal)).toBeCloseTo(1, 12);
});

test("a plane that faces the eye moves with up and down", () => {
  const facing = {
    origin: [1, 2, 3],
    normal: [Math.cos(-1) * Math.cos(0.5), Math.sin(-1) * Math.cos(0.5), Math.sin(0.5)],
  } as const;
  const moved = draggedPlane(facing, { dx: 50, dy: -10 }, sight);
  expect(dot([moved.origin[0] - 1, moved.origin[1] - 2, moved.origin[2] - 3], facing.normal)).toBeGreaterThan(
    0.01,
  );
});
