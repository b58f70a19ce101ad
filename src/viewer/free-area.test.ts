import { expect, test } from "vitest";
import { fitInsets } from "./free-area.ts";

test("room is kept where the bar is, and every view keeps the larger part for the box", () => {
  const standing = fitInsets({ width: 1068, height: 820 });
  expect(standing.right).toBeGreaterThan(170);
  const lying = fitInsets({ width: 652, height: 690 });
  expect(lying.bottom).toBeGreaterThan(90);
  for (const [width, height] of [
    [1920, 1080],
    [652, 690],
    [390, 360],
    [300, 250],
    [64, 64],
    [2000, 40],
  ]) {
    const { left, right, top, bottom } = fitInsets({ width, height });
    expect(left + right).toBeLessThanOrEqual(0.4 * width);
    expect(top + bottom).toBeLessThanOrEqual(0.65 * height);
  }
});
