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
  const [rowStep, planeStep] = [mx * stride, mx * my * stride];
  const [below, above] = toCells ? [0, 1] : [1, 0];
  for (let e = 0, to = 0; e < count; e++) {
    const at = first + e;
    const i = at % nx;
    const j = Math.floor(at / nx) % ny;
    const k = Math.floor(at / (nx * ny));
    const [west, east] = [Math.max(i - below, 0) * stride, Math.min(i + above, mx - 1) * stride];
    const [south, north] = [Math.max(j - below, 0) * rowStep, Math.min(j + above, my - 1) * rowStep];
    const [low, high] = [Math.max(k - below, 0) * planeStep, Math.min(k + above, mz - 1) * planeStep];
    for (let c = offset; c < offset + components; c++) {
      out[to++] =
        0.125 *
        (values[west + south + low + c] +
          values[east + south + low + c] +
          values[west + north + low + c] +
          values[east + north + low + c] +
          values[west + south + high + c] +
          values[east + south + high + c] +
          values[west + north + high + c] +
          values[east + north + high + c]);
    }
  }
}
