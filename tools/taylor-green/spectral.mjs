/**
 * Real fields on [0, 2π)³ and their Fourier coefficients, f(x) = Σ_k f̂(k) exp(i k·x).
 *
 * Spectra hold the wavenumbers |k_x|, |k_y|, |k_z| < N/2. Because f is real, k_x ≥ 0 suffices: coefficient
 * (k_x, k_y, k_z) lies at ((k_z mod N)·N + (k_y mod N))·N/2 + k_x. The planes k_y = −N/2 and k_z = −N/2 stay zero.
 *
 * Fields on an M³ grid hold f(x_i, y_j, z_k) at (k·M + i)·M + j: y runs fastest, as the transform leaves it.
 */
import { planFft } from "./fft.mjs";

/** @typedef {{ re: Float64Array, im: Float64Array }} Spectrum */

/** @param {number} n @returns {Spectrum} a zero spectrum of n³ modes */
export function createSpectrum(n) {
  return { re: new Float64Array((n * n * n) / 2), im: new Float64Array((n * n * n) / 2) };
}

/** @param {number} index 0 … n−1 @param {number} n @returns {number} the signed wavenumber */
function wavenumber(index, n) {
  return index < n / 2 ? index : index - n;
}

/**
 * Calls visit(index, kx, ky, kz) for every mode kept.
 * @param {number} n @param {(i: number, kx: number, ky: number, kz: number) => void} visit
 */
export function forEachMode(n, visit) {
  let i = 0;
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let kx = 0; kx < n / 2; kx++) visit(i++, kx, wavenumber(y, n), wavenumber(z, n));
    }
  }
}

/**
 * Transforms between spectra of n³ modes and fields on a grid of m³ points, m ≥ n even. With m = 3n/2 the products
 * of two fields are free of aliasing in all modes kept (Orszag's 3/2 rule).
 * @param {number} n @param {number} m
 */
export function planTransforms(n, m) {
  const half = n / 2;
  const pairs = m / 2;
  const alongSlow = planFft(m, half);
  const alongX = planFft(m, pairs);
  const slowRe = new Float64Array(m * half);
  const slowIm = new Float64Array(m * half);
  const xRe = new Float64Array(m * pairs);
  const xIm = new Float64Array(m * pairs);
  // After the transform in z: [z][k_y][k_x]
  const mixed = { re: new Float64Array(m * n * half), im: new Float64Array(m * n * half) };

  /** @param {number} index of the n modes @returns {number} its index in the m-point transform */
  const padded = (index) => (index < half ? index : index + m - n);

  /**
   * Copies rows of k_x, n of them `stride` apart, into the padded lines; the other wavenumbers are zero.
   * @param {Spectrum} rows @param {number} start @param {number} stride
   */
  function loadPadded({ re, im }, start, stride) {
    slowRe.fill(0);
    slowIm.fill(0);
    for (let k = 0; k < n; k++) {
      const from = start + k * stride;
      slowRe.set(re.subarray(from, from + half), padded(k) * half);
      slowIm.set(im.subarray(from, from + half), padded(k) * half);
    }
  }

  /** @param {Spectrum} rows @param {number} start @param {number} stride */
  function storeKept({ re, im }, start, stride) {
    for (let k = 0; k < n; k++) {
      const from = padded(k) * half;
      re.set(slowRe.subarray(from, from + half), start + k * stride);
      im.set(slowIm.subarray(from, from + half), start + k * stride);
    }
  }

  /** Two real rows, y and y + m/2, share one complex line: Z = F₁ + i F₂. */
  function joinRows() {
    xRe.fill(0);
    xIm.fill(0);
    for (let y = 0; y < pairs; y++) {
      const a = y * half;
      const b = (y + pairs) * half;
      xRe[y] = slowRe[a];
      xIm[y] = slowRe[b];
      for (let k = 1; k < half; k++) {
        const at = k * pairs + y;
        const mirror = (m - k) * pairs + y;
        xRe[at] = slowRe[a + k] - slowIm[b + k];
        xIm[at] = slowIm[a + k] + slowRe[b + k];
        xRe[mirror] = slowRe[a + k] + slowIm[b + k];
        xIm[mirror] = slowRe[b + k] - slowIm[a + k];
      }
    }
  }

  function splitRows() {
    for (let y = 0; y < pairs; y++) {
      const a = y * half;
      const b = (y + pairs) * half;
      for (let k = 0; k < half; k++) {
        const at = k * pairs + y;
        const mirror = (k === 0 ? 0 : m - k) * pairs + y;
        slowRe[a + k] = 0.5 * (xRe[at] + xRe[mirror]);
        slowIm[a + k] = 0.5 * (xIm[at] - xIm[mirror]);
        slowRe[b + k] = 0.5 * (xIm[at] + xIm[mirror]);
        slowIm[b + k] = 0.5 * (xRe[mirror] - xRe[at]);
      }
    }
  }

  return {
    /** Evaluates the spectrum on the grid. @param {Spectrum} spectrum @param {Float64Array} field m³ values */
    toField(spectrum, field) {
      for (let ky = 0; ky < n; ky++) {
        loadPadded(spectrum, ky * half, n * half);
        alongSlow(slowIm, slowRe);
        for (let z = 0; z < m; z++) {
          mixed.re.set(slowRe.subarray(z * half, (z + 1) * half), (z * n + ky) * half);
          mixed.im.set(slowIm.subarray(z * half, (z + 1) * half), (z * n + ky) * half);
        }
      }
      for (let z = 0; z < m; z++) {
        loadPadded(mixed, z * n * half, half);
        alongSlow(slowIm, slowRe);
        joinRows();
        alongX(xIm, xRe);
        for (let x = 0; x < m; x++) {
          const row = (z * m + x) * m;
          field.set(xRe.subarray(x * pairs, (x + 1) * pairs), row);
          field.set(xIm.subarray(x * pairs, (x + 1) * pairs), row + pairs);
        }
      }
    },

    /** The kept coefficients of the field. @param {Float64Array} field m³ values @param {Spectrum} spectrum */
    toSpectrum(field, spectrum) {
      for (let z = 0; z < m; z++) {
        for (let x = 0; x < m; x++) {
          const row = (z * m + x) * m;
          xRe.set(field.subarray(row, row + pairs), x * pairs);
          xIm.set(field.subarray(row + pairs, row + m), x * pairs);
        }
        alongX(xRe, xIm);
        splitRows();
        alongSlow(slowRe, slowIm);
        storeKept(mixed, z * n * half, half);
      }
      const scale = 1 / (m * m * m);
      for (let ky = 0; ky < n; ky++) {
        for (let z = 0; z < m; z++) {
          const from = (z * n + ky) * half;
          slowRe.set(mixed.re.subarray(from, from + half), z * half);
          slowIm.set(mixed.im.subarray(from, from + half), z * half);
        }
        alongSlow(slowRe, slowIm);
        for (let i = 0; i < m * half; i++) {
          slowRe[i] *= ky === half ? 0 : scale;
          slowIm[i] *= ky === half ? 0 : scale;
        }
        slowRe.fill(0, padded(half) * half, (padded(half) + 1) * half);
        slowIm.fill(0, padded(half) * half, (padded(half) + 1) * half);
        storeKept(spectrum, ky * half, n * half);
      }
    },
  };
}
