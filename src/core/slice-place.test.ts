import { expect, it } from "vitest";
import { slicePlace } from "./slice-place.ts";

it("finds the coordinates around a position, and nothing beyond them", () => {
  const coordinates = Float64Array.of(-1, 0.5, 2, 10);
  expect(slicePlace(coordinates, -1)).toEqual({ index: 0, t: 0 });
  expect(slicePlace(coordinates, 0.5)).toEqual({ index: 1, t: 0 });
  expect(slicePlace(coordinates, 4)).toEqual({ index: 2, t: 0.25 });
  expect(slicePlace(coordinates, 10)).toEqual({ index: 3, t: 0 });
  expect(slicePlace(coordinates, 10.001)).toBeUndefined();
  expect(slicePlace(coordinates, -1.001)).toBeUndefined();
  expect(slicePlace(coordinates, Number.NaN)).toBeUndefined();
  expect(slicePlace(Float64Array.of(7), 7)).toEqual({ index: 0, t: 0 });
  expect(slicePlace(Float64Array.of(7), 8)).toBeUndefined();
});
