import fc from "fast-check";
import { expect, it } from "vitest";
import { floorF32 } from "./floor-f32.ts";

it("puts every f32 on the same side as the number itself", () => {
  const isNormal = (f: number) => f === 0 || Math.abs(f) >= 2 ** -126;
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -3e38, max: 3e38 }),
      fc.float({ noNaN: true }).filter(isNormal),
      (x, f) => {
        const floor = floorF32(x);
        expect(floor).toBe(Math.fround(floor));
        expect(floor).toBeLessThanOrEqual(x);
        expect(f > floor).toBe(f > x);
        const nearest = Math.fround(x);
        if (isNormal(nearest)) expect(nearest > floor).toBe(nearest > x);
      },
    ),
    { numRuns: 2000 },
  );
});

it.each([
  [0.1, Math.fround(0.1) - 2 ** -27],
  [-0.1, Math.fround(-0.1)],
  [1e-45, 0],
  [-1e-45, -(2 ** -126)],
  [0, 0],
])("%d becomes %d", (x, expected) => {
  expect(floorF32(x)).toBe(expected);
});
