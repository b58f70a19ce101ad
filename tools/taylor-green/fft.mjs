/**
 * Discrete Fourier transform of many lines at once, for lengths 2^a·3^b: Stockham's self-sorting algorithm with
 * radices 4, 3 and 2 (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992).
 */

/** @param {number} n @returns {number[]} radices whose product is n */
function radicesOf(n) {
  const radices = [];
  let rest = n;
  for (const radix of [4, 3, 2]) {
    for (; rest % radix === 0; rest /= radix) radices.push(radix);
  }
  if (rest !== 1 || n < 1) throw new RangeError(`FFT length ${n} is not of the form 2^a·3^b`);
  return radices;
}

/**
 * One pass: n/radix butterflies on each of the s interleaved sequences. Powers of the twiddle w = exp(−2πi·k/n)
 * multiply the outputs, which land in the order that the next pass reads.
 * @typedef {(n: number, s: number, cos: Float64Array, sin: Float64Array, xr: Float64Array, xi: Float64Array,
 *   yr: Float64Array, yi: Float64Array) => void} Pass
 */

/** @type {Pass} */
function pass2(n, s, cos, sin, xr, xi, yr, yi) {
  const m = n / 2;
  for (let k = 0; k < m; k++) {
    const wr = cos[k];
    const wi = sin[k];
    const o = 2 * s * k;
    for (let a = s * k, end = a + s, b = a + s * m, c = o, d = o + s; a < end; a++, b++, c++, d++) {
      const tr = xr[a] - xr[b];
      const ti = xi[a] - xi[b];
      yr[c] = xr[a] + xr[b];
      yi[c] = xi[a] + xi[b];
      yr[d] = tr * wr - ti * wi;
      yi[d] = tr * wi + ti * wr;
    }
  }
}

/** @type {Pass} */
function pass3(n, s, cos, sin, xr, xi, yr, yi) {
  const m = n / 3;
  const h = Math.sqrt(3) / 2;
  for (let k = 0; k < m; k++) {
    const wr = cos[k];
    const wi = sin[k];
    const w2r = wr * wr - wi * wi;
    const w2i = 2 * wr * wi;
    for (let a = s * k, end = a + s, o = 3 * s * k; a < end; a++, o++) {
      const b = a + s * m;
      const c = b + s * m;
      const sr = xr[b] + xr[c];
      const si = xi[b] + xi[c];
      const dr = h * (xi[b] - xi[c]);
      const di = h * (xr[c] - xr[b]);
      const mr = xr[a] - 0.5 * sr;
      const mi = xi[a] - 0.5 * si;
      yr[o] = xr[a] + sr;
      yi[o] = xi[a] + si;
      yr[o + s] = (mr + dr) * wr - (mi + di) * wi;
      yi[o + s] = (mr + dr) * wi + (mi + di) * wr;
      yr[o + 2 * s] = (mr - dr) * w2r - (mi - di) * w2i;
      yi[o + 2 * s] = (mr - dr) * w2i + (mi - di) * w2r;
    }
  }
}

/** @type {Pass} */
function pass4(n, s, cos, sin, xr, xi, yr, yi) {
  const m = n / 4;
  for (let k = 0; k < m; k++) {
    const wr = cos[k];
    const wi = sin[k];
    const w2r = wr * wr - wi * wi;
    const w2i = 2 * wr * wi;
    const w3r = w2r * wr - w2i * wi;
    const w3i = w2r * wi + w2i * wr;
    for (let a = s * k, end = a + s, o = 4 * s * k; a < end; a++, o++) {
      const b = a + s * m;
      const c = b + s * m;
      const d = c + s * m;
      const pr = xr[a] + xr[c];
      const pi = xi[a] + xi[c];
      const mr = xr[a] - xr[c];
      const mi = xi[a] - xi[c];
      const qr = xr[b] + xr[d];
      const qi = xi[b] + xi[d];
      const jr = xi[b] - xi[d];
      const ji = xr[d] - xr[b];
      yr[o] = pr + qr;
      yi[o] = pi + qi;
      yr[o + s] = (mr + jr) * wr - (mi + ji) * wi;
      yi[o + s] = (mr + jr) * wi + (mi + ji) * wr;
      yr[o + 2 * s] = (pr - qr) * w2r - (pi - qi) * w2i;
      yi[o + 2 * s] = (pr - qr) * w2i + (pi - qi) * w2r;
      yr[o + 3 * s] = (mr - jr) * w3r - (mi - ji) * w3i;
      yi[o + 3 * s] = (mr - jr) * w3i + (mi - ji) * w3r;
    }
  }
}

/** @type {Record<number, Pass>} */
const passes = { 2: pass2, 3: pass3, 4: pass4 };

/**
 * Plans the in-place transform X[k] = Σ_j x[j] exp(−2πi·jk/n) of `lines` lines, where element j of line b lies at
 * j·lines + b. Unscaled. The inverse (sign +, unscaled) is the same call with `re` and `im` exchanged.
 * @param {number} n length of a line, 2^a·3^b
 * @param {number} lines how many lines
 * @returns {(re: Float64Array, im: Float64Array) => void}
 */
export function planFft(n, lines) {
  let length = n;
  const steps = radicesOf(n).map((radix) => {
    const count = length / radix;
    const angle = (-2 * Math.PI) / length;
    const step = {
      pass: passes[radix],
      length,
      stride: (lines * n) / length,
      cos: Float64Array.from({ length: count }, (_, k) => Math.cos(angle * k)),
      sin: Float64Array.from({ length: count }, (_, k) => Math.sin(angle * k)),
    };
    length = count;
    return step;
  });
  /** @type {Float64Array} */
  const spareRe = new Float64Array(n * lines);
  /** @type {Float64Array} */
  const spareIm = new Float64Array(n * lines);
  return (re, im) => {
    let [fromRe, fromIm, toRe, toIm] = [re, im, spareRe, spareIm];
    for (const { pass, length, stride, cos, sin } of steps) {
      pass(length, stride, cos, sin, fromRe, fromIm, toRe, toIm);
      [fromRe, fromIm, toRe, toIm] = [toRe, toIm, fromRe, fromIm];
    }
    if (fromRe !== re) {
      re.set(fromRe);
      im.set(fromIm);
    }
  };
}
