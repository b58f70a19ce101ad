import { neighbor } from "../../hypercube/coordinates.ts";

/** The sum of differences to the neighbours on a torus, in double precision. */
export const laplacian = (lengths: readonly number[], values: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: values.length }, (_, site) => {
    let sum = 0;
    for (const axis of lengths.keys()) {
      for (const by of [-1, 1]) sum += values[neighbor(lengths, site, axis, by)!] - values[site];
    }
    return sum;
  });

/** The sum of squares of the differences to the next sites along each axis. */
export function squaredSlopes(lengths: readonly number[], values: ArrayLike<number>): number {
  let sum = 0;
  for (let site = 0; site < values.length; site++) {
    for (const axis of lengths.keys()) sum += (values[neighbor(lengths, site, axis, 1)!] - values[site]) ** 2;
  }
  return sum;
}
