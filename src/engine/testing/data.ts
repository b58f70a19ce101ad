import { type DataSet, makeField } from "../../core/field.ts";
import type { Grid, Triple } from "../../core/grid.ts";

/** A ball's distance field (`r`, distance from the middle), solid-body rotation about z (`v`) and a cell field (`id`). */
export function ballData(dims: Triple = [17, 15, 13]): DataSet {
  const [nx, ny, nz] = dims;
  const grid: Grid = { kind: "uniform", dims, origin: [-2, -1.5, -1], spacing: [0.25, 0.25, 0.25] };
  const r = new Float32Array(nx * ny * nz);
  const v = new Float32Array(3 * r.length);
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, at++) {
        const x = (i - (nx - 1) / 2) * 0.25;
        const y = (j - (ny - 1) / 2) * 0.25;
        const z = (k - (nz - 1) / 2) * 0.25;
        r[at] = Math.hypot(x, y, z);
        v.set([-2 * y, 2 * x, 0], 3 * at);
      }
    }
  }
  const id = Float64Array.from({ length: (nx - 1) * (ny - 1) * (nz - 1) }, (_, i) => i);
  return {
    name: "ball",
    grid,
    fields: [
      makeField(grid, "r", "node", 1, r),
      makeField(grid, "v", "node", 3, v),
      makeField(grid, "id", "cell", 1, id),
    ],
    notes: [],
  };
}
