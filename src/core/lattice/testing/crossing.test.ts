import { expect, it } from "vitest";
import { crossingOf } from "./crossing.ts";

const curve = (slope: number, error: number, bend = 0) =>
  [2, 2.1, 2.2, 2.3, 2.4].map((value) => ({
    value,
    mean: 0.6 + slope * (value - 2.24) + bend * (value - 2.2) ** 2,
    error,
  }));

it("finds where lines cross, with the error that the errors of their points make", () => {
  const { value, error, misfit } = crossingOf(curve(-1, 0.003), curve(-3, 0.004));
  expect(value).toBeCloseTo(2.24, 12);
  // Of five differences with the error σ and the slope s: σ / s · √(1/5 + 0.04² / Σ (x − x̄)²).
  expect(error / ((0.005 / 2) * Math.sqrt(0.2 + 0.04 ** 2 / 0.1))).toBeCloseTo(1, 0.9);
  expect(misfit).toBeLessThan(0);
});

it("tells that a line does not fit", () => {
  expect(crossingOf(curve(-1, 0.003), curve(-3, 0.004, 3)).misfit).toBeGreaterThan(3);
});
