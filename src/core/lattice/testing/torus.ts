/** What is known exactly of the Ising model on a square lattice. */

/** The sum of numbers given by their logarithms and signs, as a logarithm. */
function logSum(terms: readonly { readonly log: number; readonly sign: number }[]): number {
  const largest = Math.max(...terms.map(({ log }) => log));
  return largest + Math.log(terms.reduce((sum, { log, sign }) => sum + sign * Math.exp(log - largest), 0));
}

/** ln Z of a torus of so many sites (Kaufman 1949, as written by Ferdinand and Fisher, Phys. Rev. 185, 832, 1969); K = 1 / T. */
function logPartition(width: number, height: number, k: number): number {
  const gamma = (l: number) =>
    l === 0
      ? 2 * k + Math.log(Math.tanh(k))
      : Math.acosh(Math.cosh(2 * k) ** 2 / Math.sinh(2 * k) - Math.cos((Math.PI * l) / width));
  const product = (first: number, factor: (x: number) => number) => {
    const factors = Array.from({ length: width }, (_, r) => factor((height * gamma(2 * r + first)) / 2));
    return {
      log: factors.reduce((sum, value) => sum + Math.log(Math.abs(2 * value)), 0),
      sign: Math.sign(factors.reduce((sign, value) => sign * Math.sign(value), 1)),
    };
  };
  const products = [1, 0].flatMap((first) => [product(first, Math.cosh), product(first, Math.sinh)]);
  return ((width * height) / 2) * Math.log(2 * Math.sinh(2 * k)) + logSum(products) - Math.LN2;
}

/** The energy a site of a torus, −∂ln Z / ∂K / N. */
export function torusEnergy([width, height]: readonly [number, number], temperature: number): number {
  const [k, step] = [1 / temperature, 1e-4];
  const rise = logPartition(width, height, k + step) - logPartition(width, height, k - step);
  return -rise / (2 * step * width * height);
}

/** Onsager's energy a site and Yang's magnetization of the infinite lattice. */
export function infiniteLattice(temperature: number) {
  const k = 2 / temperature;
  const modulus = (2 * Math.sinh(k)) / Math.cosh(k) ** 2;
  // The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
  let [a, b] = [1, Math.sqrt(1 - modulus ** 2)];
  for (let i = 0; i < 40; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  const integral = Math.PI / (2 * a);
  return {
    energy: -(1 / Math.tanh(k)) * (1 + (2 / Math.PI) * (2 * Math.tanh(k) ** 2 - 1) * integral),
    magnetization: Math.sinh(k) > 1 ? (1 - Math.sinh(k) ** -4) ** (1 / 8) : 0,
  };
}

/** Onsager's critical temperature, 2 / ln(1 + √2). */
export const criticalTemperature = 2 / Math.log(1 + Math.SQRT2);
