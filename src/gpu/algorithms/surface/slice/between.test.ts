import { expect, it } from "vitest";
import { between } from "./between.ts";

it("finds the coordinates around a position, and nothing beyond them", () => {
  const coordinates = Float64Array.of(-1, 0.5, 2, 10);
  expect(between(coordinates, -1)).toEqual({ index: 0, t: 0 });
  expect(between(coordinates, 0.5)).toEqual({ index: 1, t: 0 });
  expect(between(coordinates, 4)).toEqual({ index: 2, t: 0.25 });
  expect(between(coordinates, 10)).toEqual({ index: 3, t: 0 });
  expect(between(coordinates, 10.001)).toBeUndefined();
  expect(between(coordinates, -1.001)).toBeUndefined();
  expect(between(coordinates, Number.NaN)).toBeUndefined();
  expect(between(Float64Array.of(7), 7)).toEqual({ index: 0, t: 0 });
  expect(between(Float64Array.of(7), 8)).toBeUndefined();
});
