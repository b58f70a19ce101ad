import { expect, test } from "vitest";
import { histogramPath } from "./histogram-path.ts";

test("bars are as high as the square root of their share, and a trace of any count shows", () => {
  expect(histogramPath([0, 25, 100])).toBe("M0 1V1H1V0.5H2V0H3V1Z");
  expect(histogramPath([1, 1_000_000])).toBe("M0 1V0.97H1V0H2V1Z");
  expect(histogramPath([0, 0])).toBe("M0 1V1H1V1H2V1Z");
});
