/** The point values of a state, as the arrays of an image. */
import { planTransforms } from "./spectral.mjs";

/**
 * Values at the n³ points 2π/n·(i, j, k), x fastest, components together.
 * @param {import("./spectral.mjs").Spectrum[]} spectra one a component @param {number} n
 * @returns {Float64Array}
 */
export function pointValues(spectra, n) {
  const { toField } = planTransforms(n, n);
  const field = new Float64Array(n ** 3);
  const values = new Float64Array(spectra.length * n ** 3);
  spectra.forEach((spectrum, c) => {
    toField(spectrum, field);
    for (let z = 0; z < n; z++) {
      for (let y = 0; y < n; y++) {
        for (let x = 0; x < n; x++) {
          values[((z * n + y) * n + x) * spectra.length + c] = field[(z * n + x) * n + y];
        }
      }
    }
  });
  return values;
}

/** @param {ArrayLike<number>} values @param {number} components @returns {number} largest Euclidean norm */
export function largestNorm(values, components) {
  let largest = 0;
  for (let i = 0; i < values.length; i += components) {
    let square = 0;
    for (let c = 0; c < components; c++) square += values[i + c] ** 2;
    largest = Math.max(largest, square);
  }
  return Math.sqrt(largest);
}
