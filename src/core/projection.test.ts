import { expect, test } from "vitest";
import { projectPoint } from "./projection.ts";
import type { CameraState } from "./view.ts";

const bounds = [0, 6, 0, 0, 0, 8] as const;
const size = { width: 800, height: 400 };
/** From −y, so that x points right and z up; the data's diagonal is 10. */
const camera: CameraState = {
  azimuth: -Math.PI / 2,
  elevation: 0,
  distance: 2,
  target: [0, 0, 0],
  center: [0, 0],
};

test("the box's middle is seen in the middle, and lengths as the field of view has it", () => {
  const middle = projectPoint([3, 0, 4], bounds, camera, size);
  expect(middle).toMatchObject({ x: 400, y: 200 });
  // Half the smaller side is tan 15° at distance 1; the eye is two diagonals away.
  const pixels = 200 / (Math.tan(Math.PI / 12) * 20);
  expect(middle?.pixelsPerUnit).toBeCloseTo(pixels, 9);
  const corner = projectPoint([6, 0, 8], bounds, camera, size);
  expect(corner?.x).toBeCloseTo(400 + 3 * pixels, 9);
  expect(corner?.y).toBeCloseTo(200 - 4 * pixels, 9);
});

test("the view's middle can lie elsewhere, and nothing behind the eye is seen", () => {
  const moved = projectPoint([3, 0, 4], bounds, { ...camera, center: [0.25, -0.5] }, size);
  expect(moved).toMatchObject({ x: 500, y: 300 });
  expect(projectPoint([3, -21, 4], bounds, camera, size)).toBeUndefined();
});
