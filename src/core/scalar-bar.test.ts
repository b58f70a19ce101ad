import { expect, test } from "vitest";
import { scalarBarLabels } from "./scalar-bar.ts";

test.each<[number, number, string[]]>([
  [0, 1, ["1", "0.75", "0.5", "0.25", "0"]],
  [-1.5, 1.5, ["1.5", "0.75", "0", "−0.75", "−1.5"]],
  [1000, 1000.4, ["1000.4", "1000.3", "1000.2", "1000.1", "1000"]],
  [0, 4e-7, ["4e-7", "3e-7", "2e-7", "1e-7", "0"]],
  [2.5, 2.5, ["2.5"]],
  [101325, 101325.004, ["101325.004", "101325.003", "101325.002", "101325.001", "101325"]],
  [101325.5, 101325.5, ["101325.5"]],
  [Number.NaN, Number.NaN, ["NaN"]],
])("labels from %d to %d", (min, max, labels) => {
  expect(scalarBarLabels(min, max, 5)).toEqual(labels);
});
