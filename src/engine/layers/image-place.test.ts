import { expect, test } from "vitest";
import { gridBounds, type Triple, type UniformGrid } from "../../core/grid.ts";
import { LoadedData } from "../loaded-data.ts";
import { flatGrid, nearestNode, placeImage } from "./image-place.ts";

const gridOf = (dims: Triple): UniformGrid => ({
  kind: "uniform",
  dims,
  origin: [10, 20, 30],
  spacing: [1, 2, 4],
});
const loaded = (dims: Triple) =>
  new LoadedData({ name: "flat.vti", grid: gridOf(dims), fields: [], notes: [] }, undefined);

test("an image fills the bounds, and each place has the texel of the nearest node", () => {
  const grid = flatGrid(loaded([5, 1, 3]));
  const { along, up, corner, across, first, ...size } = placeImage(grid, gridBounds(grid));
  expect(size).toEqual({ columns: 5, rows: 3 });
  expect([corner, along, up]).toEqual([
    [-2, 0, -4],
    [4, 0, 0],
    [0, 0, 8],
  ]);
  const texel = (u: number, v: number) =>
    [u * across[0] + first[0], v * across[1] + first[1]].map(Math.floor);
  for (const [u, v] of [
    [0, 0],
    [0.1, 0.3],
    [0.5, 0.74],
    [0.9, 0.76],
  ]) {
    const place = [0, 1, 2].map((axis) => corner[axis] + u * along[axis] + v * up[axis]);
    const node = nearestNode(grid, [place[0], place[1], place[2]]);
    expect(texel(u, v)).toEqual([node[0] - 10, (node[2] - 30) / 4]);
  }
});

test("sites of a lattice are whole texels, and a row of nodes has a height", () => {
  const grid = { ...gridOf([4, 2, 1]), origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
  const place = placeImage(grid, [-0.5, 3.5, -0.5, 1.5, 0, 0]);
  expect(place).toMatchObject({ across: [4, 2], first: [0, 0], along: [4, 0, 0], up: [0, 2, 0] });
  const row = placeImage(gridOf([65, 1, 1]), gridBounds(gridOf([65, 1, 1])));
  expect(row).toMatchObject({ rows: 1, across: [64, 0], first: [0.5, 0.5], up: [0, 0, 4] });
});

test("what is not flat and even is refused with a way out", () => {
  expect(() => flatGrid(loaded([5, 2, 3]))).toThrow("Add a slice or a cut.");
  const axes = [Float64Array.of(0, 1, 3), Float64Array.of(0, 1), Float64Array.of(0)] as const;
  const grid = { kind: "rectilinear", dims: [3, 2, 1], axes } as const;
  const data = new LoadedData({ name: "uneven.vtr", grid, fields: [], notes: [] }, undefined);
  expect(() => flatGrid(data)).toThrow("not evenly spaced");
});
