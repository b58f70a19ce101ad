import { expect, test } from "vitest";
import { dragFigures } from "./figures.ts";

test("a drag's delays are those of the isovalues that were shown, each to its first picture", () => {
  const asked = [1, 2, 3, 4].map((isovalue) => ({ isovalue, at: 10 * isovalue }));
  const shown = [
    { isovalue: 1, at: 15, bytes: 100 },
    { isovalue: 3, at: 50, bytes: 300 },
    { isovalue: 3, at: 90, bytes: 900 },
    { isovalue: 4, at: 100, bytes: undefined },
  ];
  expect(dragFigures(asked, shown, 2)).toEqual({
    pictures: 4,
    picturesPerSecond: 2,
    delayMedian: 20,
    delay95: 60,
    bytes: 300,
  });
});

test("a drag without pictures has no delays", () => {
  const { pictures, delayMedian, bytes } = dragFigures([{ isovalue: 1, at: 0 }], [], 1);
  expect([pictures, delayMedian, bytes]).toEqual([0, Number.NaN, undefined]);
});
