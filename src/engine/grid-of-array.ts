import type { UniformGrid } from "../core/grid.ts";

/** The grid of an array of up to three axes: its elements are nodes, one unit apart. */
export const gridOfArray = ([nx, ny = 1, nz = 1]: readonly number[]): UniformGrid => ({
  kind: "uniform",
  dims: [nx, ny, nz],
  origin: [0, 0, 0],
  spacing: [1, 1, 1],
});
