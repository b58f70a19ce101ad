import { type Field, makeField } from "../field.ts";
import type { Grid, RectilinearGrid, Triple } from "../grid.ts";

/** Whole numbers 0 … 100 without order: what VTK was given for the oracles. */
export function hashedField(grid: Grid): Field {
  const [nx, ny, nz] = grid.dims;
  const data = new Float32Array(nx * ny * nz);
  let at = 0;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) data[at++] = ((i * 7 + j * 13 + k * 29) * 37) % 101;
    }
  }
  return makeField(grid, "f", "node", 1, data);
}

/** Spacing 1 from 0, or coordinates i + i²/8. */
export function oracleGrid(kind: "uniform" | "rectilinear", dims: Triple): Grid {
  if (kind === "uniform") return { kind, dims, origin: [0, 0, 0], spacing: [1, 1, 1] };
  const axes = dims.map((n) => Float64Array.from({ length: n }, (_, i) => i + (i * i) / 8));
  return { kind, dims, axes: axes as unknown as RectilinearGrid["axes"] };
}
