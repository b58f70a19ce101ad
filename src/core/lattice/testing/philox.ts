const multipliers = [0xd2511f53n, 0xcd9e8d57n] as const;
const increments = [0x9e3779b9n, 0xbb67ae85n] as const;
const mask = 0xffffffffn;

/** Philox 4×32-7 by big integers. */
export function philoxReference(counter: readonly number[], key: readonly number[]): number[] {
  let [x, y, z, w] = counter.map(BigInt);
  let [a, b] = key.map(BigInt);
  for (let turn = 0; turn < 7; turn++) {
    const [p, q] = [multipliers[0] * x, multipliers[1] * z];
    [x, y, z, w] = [(q >> 32n) ^ y ^ a, q & mask, (p >> 32n) ^ w ^ b, p & mask];
    [a, b] = [(a + increments[0]) & mask, (b + increments[1]) & mask];
  }
  return [x, y, z, w].map(Number);
}
