/** The discrete Fourier transform of arrays of any lengths and any number of axes, in double precision. */

export interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

type Transform = (re: Float64Array, im: Float64Array) => void;

/** Σ_j x_j exp(−2πi jk / n) in place, for a power of two, by halving (Cooley and Tukey 1965). */
function ofPowerOfTwo(n: number): Transform {
  const cosines = Float64Array.from({ length: n / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / n));
  const sines = Float64Array.from({ length: n / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / n));
  const reversed = new Uint32Array(n);
  for (let i = 1; i < n; i++) reversed[i] = (reversed[i >> 1] >> 1) | (i & 1 ? n >> 1 : 0);
  return (re, im) => {
    for (let i = 0; i < n; i++) {
      const j = reversed[i];
      if (j <= i) continue;
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
    for (let half = 1; half < n; half *= 2) {
      const stride = n / (2 * half);
      for (let first = 0; first < n; first += 2 * half) {
        for (let k = 0; k < half; k++) {
          const [low, high] = [first + k, first + k + half];
          const [c, s] = [cosines[k * stride], sines[k * stride]];
          const turnedRe = c * re[high] - s * im[high];
          const turnedIm = c * im[high] + s * re[high];
          re[high] = re[low] - turnedRe;
          im[high] = im[low] - turnedIm;
          re[low] += turnedRe;
          im[low] += turnedIm;
        }
      }
    }
  };
}

/** The same of any length, as a convolution with a chirp whose length is a power of two (Bluestein 1970). */
function ofAnyLength(n: number): Transform {
  const size = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const transform = ofPowerOfTwo(size);
  // k² mod 2n keeps the angle small, so that it is exact.
  const angles = Float64Array.from({ length: n }, (_, k) => (Math.PI * ((k * k) % (2 * n))) / n);
  const [chirpRe, chirpIm] = [new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < n; k++) {
    for (const at of k === 0 ? [0] : [k, size - k]) {
      chirpRe[at] = Math.cos(angles[k]);
      chirpIm[at] = Math.sin(angles[k]);
    }
  }
  transform(chirpRe, chirpIm);
  const [a, b] = [new Float64Array(size), new Float64Array(size)];
  return (re, im) => {
    a.fill(0);
    b.fill(0);
    for (let k = 0; k < n; k++) {
      const [c, s] = [Math.cos(angles[k]), Math.sin(angles[k])];
      a[k] = re[k] * c + im[k] * s;
      b[k] = im[k] * c - re[k] * s;
    }
    transform(a, b);
    for (let k = 0; k < size; k++) {
      const product = a[k] * chirpRe[k] - b[k] * chirpIm[k];
      // Conjugated, so that the forward transform inverts.
      b[k] = -(a[k] * chirpIm[k] + b[k] * chirpRe[k]);
      a[k] = product;
    }
    transform(a, b);
    for (let k = 0; k < n; k++) {
      const [c, s] = [Math.cos(angles[k]), Math.sin(angles[k])];
      const [x, y] = [a[k] / size, -b[k] / size];
      re[k] = x * c + y * s;
      im[k] = y * c - x * s;
    }
  };
}

/** Transforms along all axes, the fastest axis first, in place: x_k becomes Σ_j x_j exp(−2πi Σ_a j_a k_a / L_a). */
export function transformInPlace(lengths: readonly number[], { re, im }: Complex): void {
  let stride = 1;
  for (const n of lengths) {
    if (n > 1) {
      const transform = Number.isInteger(Math.log2(n)) ? ofPowerOfTwo(n) : ofAnyLength(n);
      const [lineRe, lineIm] = [new Float64Array(n), new Float64Array(n)];
      for (let line = 0; line < re.length / n; line++) {
        const first = Math.floor(line / stride) * stride * n + (line % stride);
        for (let k = 0; k < n; k++) {
          lineRe[k] = re[first + k * stride];
          lineIm[k] = im[first + k * stride];
        }
        transform(lineRe, lineIm);
        for (let k = 0; k < n; k++) {
          re[first + k * stride] = lineRe[k];
          im[first + k * stride] = lineIm[k];
        }
      }
    }
    stride *= n;
  }
}
