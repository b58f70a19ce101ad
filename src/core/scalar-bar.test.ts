import { expect, test } from "vitest";
import { barLayout } from "./bar-layout.ts";
import { barLabels, labelPlace } from "./scalar-bar.ts";

test.each<[number, number, string[]]>([
  [0, 1, ["1", "0.75", "0.5", "0.25", "0"]],
  [-1.5, 1.5, ["1.5", "0.75", "0", "−0.75", "−1.5"]],
  [1000, 1000.4, ["1000.4", "1000.3", "1000.2", "1000.1", "1000"]],
  [0, 4e-7, ["4e-7", "3e-7", "2e-7", "1e-7", "0"]],
  [2.5, 2.5, ["2.5"]],
  [5.024e-4, 8.736, ["8.74", "6.55", "4.37", "2.18", "0"]],
  [101325, 101325.004, ["101325.004", "101325.003", "101325.002", "101325.001", "101325"]],
  [101325.5, 101325.5, ["101325.5"]],
  [Number.NaN, Number.NaN, ["NaN"]],
])("labels from %d to %d", (min, max, labels) => {
  expect(barLabels({ min, max }, "standing").texts).toEqual(labels);
});

test.each([
  [1068, 820, ["standing", "lying"]],
  [652, 690, ["lying", "compact"]],
  [1200, 300, ["lying", "compact"]],
  [1200, 400, ["standing", "lying"]],
])("one and several bars in %d × %d", (width, height, layouts) => {
  expect([1, 3].map((count) => barLayout({ width, height }, count))).toEqual(layouts);
});

test("a lying bar has three labels where they fit side by side, and a compact one those of its ends", () => {
  expect(barLabels({ min: 0, max: 22.7 }, "lying").texts).toEqual(["22.7", "11.3", "0"]);
  expect(barLabels({ min: 9.99e8, max: 1.001e9 }, "lying").texts).toEqual(["1.001e+9", "9.99e+8"]);
  expect(barLabels({ min: 0, max: 22.7 }, "compact").texts).toEqual(["22.7", "0"]);
  expect(barLabels({ min: 3, max: 3 }, "lying").texts).toEqual(["3"]);
});

test("bands have their numbers in their middles, and those of the ends where there are too many", () => {
  const three = barLabels({ min: -0.5, max: 2.5, bands: 3 }, "standing");
  expect(three.texts).toEqual(["2", "1", "0"]);
  expect(three.texts.map((_, k) => labelPlace(three, k))).toEqual([1 / 6, 1 / 2, 5 / 6]);
  const many = barLabels({ min: -0.5, max: 63.5, bands: 64 }, "lying");
  expect(many.texts).toEqual(["63", "0"]);
  expect(many.texts.map((_, k) => labelPlace(many, k))).toEqual([0, 1]);
});
