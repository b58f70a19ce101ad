import { expect, test } from "vitest";
import { scaledLabels } from "./scaled-labels.ts";

test("a logarithmic bar has its powers of ten where they lie", () => {
  const bar = { min: 1e-7, max: 1e-3, scale: "log" } as const;
  const standing = scaledLabels(bar, "standing");
  expect(standing.texts).toEqual(["0.001", "1e-4", "1e-5", "1e-6", "1e-7"]);
  for (const [k, { place }] of standing.ticks!.entries()) expect(place).toBeCloseTo(k / 4, 12);
  const lying = scaledLabels({ min: 2e-7, max: 5e-3, scale: "log" }, "lying");
  expect(lying.texts).toEqual(["0.001", "1e-5"]);
  expect(lying.ticks?.[0].place).toBeCloseTo(Math.log(5) / Math.log(2.5e4), 12);
});

test("texts stay within a lying bar", () => {
  const { ticks } = scaledLabels({ min: -1, max: 1, scale: "symlog" }, "lying");
  expect(ticks?.map(({ align }) => align)).toEqual(["right", "center", "left"]);
});

test("a bar without two ticks has its ends, and a linear one what it has anyhow", () => {
  expect(scaledLabels({ min: 3, max: 4, scale: "log" }, "standing").texts).toEqual(["4", "3"]);
  expect(scaledLabels({ min: 0, max: 1 }, "standing").texts).toEqual(["1", "0.75", "0.5", "0.25", "0"]);
});
