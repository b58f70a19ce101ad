/** Probabilities exp(−ΔE / T) in integers, so that every device decides the same. */

const terms = 9;

/** Taylor's series of 2^−f: its coefficient of f^k without the sign, in units of 2⁻³². */
const coefficients = Array.from({ length: terms }, (_, n) => {
  let value = 2 ** 32;
  for (let k = 1; k <= n + 1; k++) value *= Math.LN2 / k;
  return `${Math.round(value)}u`;
});

/**
 * Kernel text, beside `philoxText`: `boltzmann(rise, factor)` is 2³²·exp(−ΔE / T) for an energy of `rise` units that is gained, to 2³²·10⁻⁸ beside
 * what `boltzmannFactor` rounds.
 */
export const boltzmannText = /* wgsl */ `
fn boltzmann(rise: u32, factor: u32) -> u32 {
  // The power of 1/2, in units of 2⁻²⁶.
  let high = upper_product(rise, factor);
  let power = (high << 10u) | ((rise * factor) >> 22u);
  if ((high >> 22u) != 0u || power >= 0x80000000u) { return 0u; }
  let fraction = power << 6u;
  var sum = ${coefficients.at(-1)};
${coefficients
  .slice(0, -1)
  .reverse()
  .map((coefficient) => `  sum = ${coefficient} - upper_product(fraction, sum);`)
  .join("\n")}
  let lost = upper_product(fraction, sum);
  return select(0u - lost, 0xffffffffu, lost == 0u) >> (power >> 26u);
}`;

/** The factor for energies in such units, which T has to exceed by so much that it is below 2³². */
export const boltzmannFactor = (unit: number, temperature: number): number =>
  Math.round((2 ** 48 * unit) / (temperature * Math.LN2));
