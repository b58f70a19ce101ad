/** A first state with an exact number of spins up, at random. */
import { philoxText } from "../philox.ts";

/** Rounds of the permutation: with four, a Feistel network of random functions cannot be distinguished from a random permutation (Luby and Rackoff 1988). */
const rounds = 4;

/** Numbers of a power of two's permutation that are tried; each but the last of a chain lies among the sites with more than 1/2. */
const walks = 64;

/**
 * The function `shuffled(site)`: the site's place in a random permutation of so many sites, at least four. A Feistel network permutes
 * the numbers below the next power of two; those beyond the sites are permuted on, until they are below (cycle walking).
 */
export function shuffleText(sites: number, stream: number): string {
  const bits = Math.ceil(Math.log2(sites));
  const low = bits >> 1;
  const [lowMask, highMask] = [2 ** low - 1, 2 ** (bits - low) - 1];
  const word = (part: string, round: number) =>
    `philox(vec4u(${part}, ${round}u, 0u, ${stream}u), constants.seed).x`;
  const steps = Array.from({ length: rounds }, (_, round) =>
    round % 2 === 0
      ? `  number ^= (${word(`number & ${lowMask}u`, round)} & ${highMask}u) << ${low}u;`
      : `  number ^= ${word(`number >> ${low}u`, round)} & ${lowMask}u;`,
  );
  return `
fn permuted(site: u32) -> u32 {
  var number = site;
${steps.join("\n")}
  return number;
}
fn shuffled(site: u32) -> u32 {
  var number = permuted(site);
  for (var walk = 0; walk < ${walks}; walk++) {
    if (number < ${sites}u) { break; }
    number = permuted(number);
  }
  return number;
}
${philoxText}`;
}
