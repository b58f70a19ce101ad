import { expect, test } from "vitest";
import { gridFacts } from "./grid-facts.ts";

test("a grid in names and values", () => {
  const facts = gridFacts({
    kind: "uniform",
    dims: [76, 49, 45],
    bounds: [100, 175, 80, 128, -1, 45],
    spacing: [1, 1, 0.5],
  });
  expect(facts).toEqual([
    ["Grid", "uniform, 76 × 49 × 45"],
    ["Points", "167,580"],
    ["Spacing", "1 × 1 × 0.5"],
    ["Bounds", "[100, 175] × [80, 128] × [−1, 45]"],
  ]);
});

test("a rectilinear grid has no one spacing", () => {
  const facts = gridFacts({
    kind: "rectilinear",
    dims: [2, 2, 1],
    bounds: [0, 1, 0, 1, 0, 0],
    spacing: undefined,
  });
  expect(facts[2]).toEqual(["Spacing", "non-uniform"]);
});

test("bounds far from the origin keep distinct digits", () => {
  const bounds = [500000, 500100.5, 0, 1, 0, 1] as const;
  const facts = gridFacts({ kind: "uniform", dims: [2, 2, 2], bounds, spacing: [100.5, 1, 1] });
  expect(facts[3][1]).toBe("[500000, 500100.5] × [0, 1] × [0, 1]");
});
