import { type DataSet, type Field, makeField } from "../../src/core/field.ts";
import { type RectilinearGrid, type Triple, valueCoordinates } from "../../src/core/grid.ts";

/** Two vortices in a box, cell-centred, on a rectilinear grid. */
export function vortices([nx, ny, nz]: Triple): DataSet {
  const axis = (n: number) =>
    Float64Array.from({ length: n + 1 }, (_, i) => i / n + (0.1 * Math.sin((2 * Math.PI * i) / n)) / n);
  const grid: RectilinearGrid = {
    kind: "rectilinear",
    dims: [nx + 1, ny + 1, nz + 1],
    axes: [axis(nx), axis(ny), axis(nz)],
  };
  const tables = [0, 1, 2].map((a) => {
    const angles = valueCoordinates(grid, "cell", a).map((x) => 2 * Math.PI * x);
    return { sin: angles.map(Math.sin), cos: angles.map(Math.cos) };
  });
  const [x, y, z] = tables;
  const field = (name: string, value: (i: number, j: number, k: number) => number): Field => {
    const data = new Float32Array(nx * ny * nz);
    let at = 0;
    for (let k = 0; k < nz; k++)
      for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) data[at++] = value(i, j, k);
    return makeField(grid, name, "cell", 1, data);
  };
  const fields = [
    field("u", (i, j, k) => x.sin[i] * y.cos[j] * z.cos[k]),
    field("v", (i, j, k) => -x.cos[i] * y.sin[j] * z.cos[k]),
    field("w", (i, j, k) => 0.2 * x.cos[i] * y.cos[j] * z.sin[k]),
  ];
  return { name: "vortices", grid, fields, notes: [] };
}
