import { expect, it } from "vitest";
import type { Grid } from "../../core/grid.ts";
import { whyNoCut } from "./why-no-cut.ts";

const grid: Grid = {
  kind: "rectilinear",
  dims: [4, 3, 3],
  axes: [Float64Array.of(0, 1, 2, 4), Float64Array.of(0, 0.5, 1), Float64Array.of(-10, 0, 10)],
};

it("reports a sphere between the nodes, with its radius and the cell's extents", () => {
  expect(whyNoCut(grid, [3, 0.25, 5], 0.1)).toBe(
    "the sphere of radius 0.1 lies between the nodes; cells there are 2 × 0.5 × 10",
  );
  expect(whyNoCut(grid, [0.5, 0.7, -10], 0.1)).toContain("cells there are 1 × 0.5 × 10");
  // From outside it reaches into the last cell.
  expect(whyNoCut(grid, [4.1, 0.75, 5], 0.2)).toContain("cells there are 2 × 0.5 × 10");
});

it("says nothing of a sphere beside the grid or around it", () => {
  expect(whyNoCut(grid, [5, 0.25, 5], 0.9)).toBeUndefined();
  expect(whyNoCut(grid, [2, 0.5, 0], 12)).toBeUndefined();
});

it("says nothing of grids without cells", () => {
  const flat: Grid = { kind: "uniform", dims: [3, 3, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
  expect(whyNoCut(flat, [0.5, 0.5, 0], 0.1)).toBeUndefined();
});
