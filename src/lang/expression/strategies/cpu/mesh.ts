import type { Triple } from "../../../../core/grid.ts";
import type { Neighborhood } from "../../filters/filter.ts";

/**
 * Means of the values at a cell's corners, or in the cells around a node: of the eight combinations of the nearest
 * two along each direction, where a border or a flat direction names one twice.
 */
export function recenterElements(
  input: Neighborhood,
  dims: Triple,
  toCells: boolean,
  first: number,
  count: number,
  out: Float64Array,
): void {
  const { values, components, stride = components, offset = 0 } = input;
  const [mx, my, mz] = input.dims;
  const [nx, ny] = dims;
  const low = (i: number) => (toCells ? i : Math.max(i - 1, 0));
  const high = (i: number, m: number) => Math.min(toCells ? i + 1 : i, m - 1);
  for (let e = 0; e < count; e++) {
    const at = first + e;
    const i = at % nx;
    const j = Math.floor(at / nx) % ny;
    const k = Math.floor(at / (nx * ny));
    const corners: number[] = [];
    for (const z of [low(k), high(k, mz)]) {
      for (const y of [low(j), high(j, my)]) {
        for (const x of [low(i), high(i, mx)]) corners.push((x + mx * (y + my * z)) * stride + offset);
      }
    }
    for (let c = 0; c < components; c++) {
      let sum = 0;
      for (const corner of corners) sum += values[corner + c];
      out[e * components + c] = 0.125 * sum;
    }
  }
}
