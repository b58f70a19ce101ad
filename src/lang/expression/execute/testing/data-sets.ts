import { type DataSet, type Field, makeField } from "../../../../core/field.ts";
import {
  type Centering,
  type Grid,
  type Triple,
  valueCoordinates,
  valueDims,
} from "../../../../core/grid.ts";

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A rectilinear grid whose steps vary by a factor of up to 3. */
export function randomGrid(dims: Triple, seed: number, origin: Triple = [0, 0, 0]): Grid {
  const random = randomNumbers(seed);
  const axis = (a: number) => {
    const coordinates = new Float64Array(dims[a]);
    for (let i = 0, at = origin[a]; i < dims[a]; i++, at += 0.05 + 0.1 * random()) coordinates[i] = at;
    return coordinates;
  };
  return { kind: "rectilinear", dims, axes: [axis(0), axis(1), axis(2)] };
}

/** The unit cube, or another box, in equal steps. */
export function uniformGrid(dims: Triple, size = 1): Grid {
  const step = (n: number) => (n > 1 ? size / (n - 1) : 1);
  return {
    kind: "uniform",
    dims,
    origin: [0, 0, 0],
    spacing: [step(dims[0]), step(dims[1]), step(dims[2])],
  };
}

/** The values of a function of position, interleaved. */
export function sample(
  grid: Grid,
  centering: Centering,
  value: (x: number, y: number, z: number) => number | readonly number[],
): number[] {
  const [nx, ny, nz] = valueDims(grid, centering);
  const [x, y, z] = [0, 1, 2].map((axis) => valueCoordinates(grid, centering, axis));
  const out: number[] = [];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const v = value(x[i], y[j], z[k]);
        if (typeof v === "number") out.push(v);
        else out.push(...v);
      }
    }
  }
  return out;
}

/** A field of a function of position, f32. */
export function sampledField(
  grid: Grid,
  name: string,
  centering: Centering,
  value: (x: number, y: number, z: number) => number | readonly number[],
): Field {
  const first = value(0, 0, 0);
  const components = typeof first === "number" ? 1 : first.length;
  return makeField(grid, name, centering, components, Float32Array.from(sample(grid, centering, value)));
}

export function dataSetOf(grid: Grid, ...fields: Field[]): DataSet {
  return { name: "test", grid, fields, notes: [] };
}
