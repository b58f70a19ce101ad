import { expect, it } from "vitest";
import { whyEmpty, whyNoSurface } from "./preconditions.ts";

it("says why a flat grid has no surface", () => {
  expect(whyNoSurface([2, 2, 2])).toBeUndefined();
  expect(whyNoSurface([64, 1, 1])).toContain("flat along y and z");
});

it("says why a surface is empty", () => {
  expect(whyEmpty(1, 0, 2)).toBeUndefined();
  expect(whyEmpty(0, 0, 2)).toBeUndefined();
  expect(whyEmpty(2, 0, 2)).toContain("outside");
  expect(whyEmpty(-1, 0, 2)).toContain("outside");
  expect(whyEmpty(3, 3, 3)).toContain("everywhere");
  expect(whyEmpty(0, Number.NaN, Number.NaN)).toContain("no finite value");
});
