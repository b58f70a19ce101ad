import { describe, expect, test } from "vitest";
import { interpolate, locateCell } from "./cell-location.ts";
import type { Grid, Triple } from "./grid.ts";
import { valuePosition } from "./grid.ts";

const uniform: Grid = { kind: "uniform", dims: [4, 3, 5], origin: [-1, 2, 0], spacing: [0.5, 1, 2] };
const rectilinear: Grid = {
  kind: "rectilinear",
  dims: [4, 3, 2],
  axes: [Float64Array.of(0, 1, 4, 9), Float64Array.of(-2, 0, 0.5), Float64Array.of(10, 30)],
};
/** Trilinear, so that interpolation gives it back. */
const f = ([x, y, z]: Triple) => 2 * x - y + 3 * z + x * y * z;
const at = (grid: Grid, place: ReturnType<typeof locateCell>) =>
  interpolate(place, (corner) => f(valuePosition(grid, "node", place.nodes[corner])));

describe("places in grids", () => {
  test.each([
    [uniform, [0.3, 3.25, 4.5], [2, 1, 2], 2 + 3 * (1 + 2 * 2)],
    [uniform, [0.5, 4, 8], [2, 1, 3], 2 + 3 * (1 + 2 * 3)],
    [rectilinear, [5, -1, 12], [2, 0, 0], 2],
    [rectilinear, [1, 0, 10], [1, 1, 0], 1 + 3],
  ] as const)("of %#: cell and trilinear values", (grid, position, cell, cellIndex) => {
    const place = locateCell(grid, position);
    expect(place.cell).toEqual(cell);
    expect(place.cellIndex).toBe(cellIndex);
    expect(at(grid, place)).toBeCloseTo(f(position), 10);
  });

  test("a node's own value is taken exactly, whatever its neighbours are", () => {
    const place = locateCell(uniform, [0, 3, 4]);
    expect(place.nodes).toEqual([2 + 4 * (1 + 3 * 2)]);
    expect(place.weights).toEqual([1]);
  });

  test("a position on a border belongs to the cell that is asked for", () => {
    const position: Triple = [0, 3, 4];
    expect(locateCell(uniform, position, [-0.1, 2.9, 3.9]).cell).toEqual([1, 0, 1]);
    expect(at(uniform, locateCell(uniform, position, [-0.1, 2.9, 3.9]))).toBeCloseTo(f(position), 12);
  });

  test("positions beyond the bounds, and NaN, are moved into the grid; flat directions have one layer", () => {
    expect(locateCell(uniform, [99, -99, 99])).toMatchObject({ cell: [2, 0, 3], nodes: [3 + 4 * 3 * 4] });
    expect(locateCell(uniform, [Number.NaN, 2, 0]).cell).toEqual([0, 0, 0]);
    const flat: Grid = { ...uniform, dims: [4, 3, 1] };
    expect(locateCell(flat, [-0.75, 2.5, 0])).toMatchObject({ cell: [0, 0, 0], nodes: [0, 1, 4, 5] });
  });
});
