import { describe, expect, it } from "vitest";
import { stepMs } from "./cost-model.ts";

describe("the time of a step", () => {
  it("is that of the only measured size, for shorter and longer messages", () => {
    const figures = { ranks: 4, alone: [[8, 2]], together: [[8, 6]], combining: 0 } as const;
    for (const bytes of [0, 4, 8, 1e6]) {
      expect(stepMs(figures, 1, bytes, 0)).toBe(2);
      expect(stepMs(figures, 4, bytes, 0)).toBe(6);
    }
  });

  it("is interpolated linearly between sizes, and extrapolated from the last two", () => {
    const alone = [
      [8, 1],
      [108, 2],
      [208, 6],
    ] as const;
    const figures = { ranks: 2, alone, together: alone, combining: 0 };
    expect([8, 58, 158, 308].map((bytes) => stepMs(figures, 1, bytes, 0))).toEqual([1, 1.5, 4, 10]);
  });
});
