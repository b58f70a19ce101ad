import type { Triple } from "../grid.ts";

/**
 * The cell of each triangle, numbered x fastest among the grid's cells, from the grid edges (3 · lower node + axis) of
 * its three vertices. No triangle of marching cubes lies in a face of its cell, so its edges reach the cell's least node
 * along every axis; vertices inside a cell are numbered beyond the edges, after the cell's least node in each slot.
 */
export function cellsOfTriangles(
  indices: Uint32Array,
  edges: Uint32Array,
  [nx, ny, nz]: Triple,
): Uint32Array {
  const nodes = nx * ny * nz;
  const cells = new Uint32Array(indices.length / 3);
  for (let t = 0; t < cells.length; t++) {
    let [x, y, z] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let corner = 0; corner < 3; corner++) {
      const edge = edges[indices[3 * t + corner]];
      const node = edge < 3 * nodes ? Math.floor(edge / 3) : edge % nodes;
      const row = Math.floor(node / nx);
      x = Math.min(x, node % nx);
      y = Math.min(y, row % ny);
      z = Math.min(z, Math.floor(row / ny));
    }
    cells[t] = x + (nx - 1) * (y + (ny - 1) * z);
  }
  return cells;
}
