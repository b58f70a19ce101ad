/** Quantum numbers of a real hydrogen orbital: 1 ≤ n, 0 ≤ l < n, −l ≤ m ≤ l. */
export interface QuantumNumbers {
  readonly n: number;
  readonly l: number;
  readonly m: number;
}

/**
 * The real wave function ψ(x, y, z) of the hydrogen atom in atomic units (lengths in Bohr radii a₀, ψ in a₀^(−3/2)):
 * the radial function times a real spherical harmonic, cosine-like for m > 0 and sine-like for m < 0, without the
 * Condon–Shortley phase (Griffiths, Introduction to Quantum Mechanics, eq. 4.89).
 * It is evaluated through solid harmonics, so that the origin is no special case.
 */
export function hydrogenWaveFunction({
  n,
  l,
  m,
}: QuantumNumbers): (x: number, y: number, z: number) => number {
  const order = Math.abs(m);
  const radial = Math.sqrt(((2 / n) ** 3 * factorial(n - l - 1)) / (2 * n * factorial(n + l)));
  const angular = Math.sqrt(((2 * l + 1) / (4 * Math.PI)) * (factorial(l - order) / factorial(l + order)));
  const scale = radial * angular * (m === 0 ? 1 : Math.SQRT2) * (2 / n) ** l;
  let doubleFactorial = 1;
  for (let k = 2 * order - 1; k > 1; k -= 2) doubleFactorial *= k;
  return (x, y, z) => {
    const squared = x * x + y * y + z * z;
    const rho = (2 * Math.sqrt(squared)) / n;
    return (
      scale *
      Math.exp(-rho / 2) *
      laguerre(n - l - 1, 2 * l + 1, rho) *
      azimuthal(m, x, y) *
      polar(l, order, doubleFactorial, z, squared)
    );
  };
}

/** Half the width of a cube that holds all but a negligible part of the orbital, in Bohr radii. */
export function orbitalExtent(n: number): number {
  return 2 * n * n + 3 * n;
}

/** Associated Laguerre polynomial L_k^(a)(x) by its recurrence in k. */
function laguerre(k: number, a: number, x: number): number {
  let before = 0;
  let value = 1;
  for (let i = 0; i < k; i++) {
    const next = ((2 * i + 1 + a - x) * value - (i + a) * before) / (i + 1);
    before = value;
    value = next;
  }
  return value;
}

/** Re (x + iy)^m for m ≥ 0, Im (x + iy)^|m| otherwise. */
function azimuthal(m: number, x: number, y: number): number {
  let re = 1;
  let im = 0;
  for (let i = 0; i < Math.abs(m); i++) {
    const next = re * x - im * y;
    im = re * y + im * x;
    re = next;
  }
  return m < 0 ? im : re;
}

/** r^l P_l^m(z/r) / (x² + y²)^(m/2), a polynomial in z and r², by the recurrence of P_l^m in l. */
function polar(l: number, m: number, start: number, z: number, squared: number): number {
  let before = 0;
  let value = start;
  for (let degree = m + 1; degree <= l; degree++) {
    const next = ((2 * degree - 1) * z * value - (degree + m - 1) * squared * before) / (degree - m);
    before = value;
    value = next;
  }
  return value;
}

function factorial(k: number): number {
  let product = 1;
  for (let i = 2; i <= k; i++) product *= i;
  return product;
}
