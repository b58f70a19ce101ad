import type { TypedArray } from "../../../core/dtype.ts";
import type { ElementReduction } from "../operators.ts";

/**
 * The extreme value of adjacent pairs (value, location). Of equal values, the one with the lowest location
 * wins; −0 equals +0. NaN is skipped, as in the primitives' `argmin`, unless there is nothing else.
 */
function locating(
  name: string,
  isBetter: (a: number | bigint, b: number | bigint) => boolean,
): ElementReduction {
  const wins = (a: number | bigint, atA: number | bigint, b: number | bigint, atB: number | bigint) =>
    isBetter(a, b) || (!isBetter(b, a) && (isNan(a) ? isNan(b) && atA < atB : isNan(b) || atA < atB));
  const combine = (a: TypedArray, b: TypedArray, from: number, to: number) => {
    for (let i = from; i < to; i += 2) {
      if (!wins(a[i], a[i + 1], b[i], b[i + 1])) continue;
      b[i] = a[i];
      b[i + 1] = a[i + 1];
    }
  };
  return { name, isCommutative: true, group: 2, combine };
}

const isNan = (x: number | bigint) => typeof x === "number" && Number.isNaN(x);

/** MPI_MINLOC. */
export const minloc = locating("minloc", (a, b) => a < b);
/** MPI_MAXLOC. */
export const maxloc = locating("maxloc", (a, b) => a > b);
