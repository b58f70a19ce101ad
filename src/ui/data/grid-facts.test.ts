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

test("a flat grid has two axes, and a place along the third where that is not 0", () => {
  const flat = { kind: "uniform", dims: [64, 32, 1], spacing: [1, 2, 1] } as const;
  expect(gridFacts({ ...flat, bounds: [-0.5, 63.5, 0, 62, 0, 0] })).toEqual([
    ["Grid", "uniform, 64 × 32"],
    ["Points", "2,048"],
    ["Spacing", "1 × 2"],
    ["Bounds", "[−0.5, 63.5] × [0, 62]"],
  ]);
  expect(gridFacts({ ...flat, bounds: [0, 63, 0, 62, 3, 3] })[3]).toEqual([
    "Bounds",
    "[0, 63] × [0, 62] × [3, 3]",
  ]);
  const row = { ...flat, dims: [9, 1, 1], bounds: [0, 8, 0, 0, 0, 0] } as const;
  expect(gridFacts(row).map(([, value]) => value)).toEqual(["uniform, 9", "9", "1", "[0, 8]"]);
  const acrossX = { ...flat, dims: [1, 32, 8], bounds: [0, 0, 0, 62, 0, 7] } as const;
  expect(gridFacts(acrossX)[0]).toEqual(["Grid", "uniform, 1 × 32 × 8"]);
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
