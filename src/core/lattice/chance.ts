/** The number t of 32 bits for which U < t of a uniform word U has the probability p, to half of 2⁻³² or, of 1, to 2⁻³². */
export const thresholdOf = (p: number): number => Math.min(2 ** 32 - 1, Math.round(2 ** 32 * p));
