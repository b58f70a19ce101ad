/** The Ising model site by site, in plain loops, with the random numbers that docs/lattices.md defines. */
import { neighbor, toCoordinates } from "../../hypercube/coordinates.ts";
import { countOf } from "../../hypercube/shape.ts";
import { philoxReference } from "./philox.ts";

export const colourOf = (lengths: readonly number[], site: number): number =>
  toCoordinates(lengths, site).reduce((sum, x) => sum + x, 0) % 2;

/** The word and the bit in it at which a site's random numbers are. */
function placeOf(lengths: readonly number[], site: number): readonly [word: number, bit: number] {
  const row = Math.floor(site / lengths[0]);
  const j = Math.floor((site % lengths[0]) / 2);
  return [row * Math.ceil(lengths[0] / 64) + Math.floor(j / 32), j % 32];
}

/** The site's uniform number of 32 bits. */
function uniform(
  place: readonly [number, number],
  sweep: number,
  colour: number,
  seed: readonly number[],
): number {
  let value = 0;
  for (let block = 0; block < 8; block++) {
    for (const word of philoxReference([place[0], sweep, 8 * colour + block, 0], seed)) {
      value = value * 2 + ((word >>> place[1]) & 1);
    }
  }
  return value;
}

/** The uniform number of 32 bits that a site has in the layouts with four bits a site; at the start, of sweep 0, one bit. */
export function uniformOfSites(
  lengths: readonly number[],
  site: number,
  sweep: number,
  seed: readonly number[],
): number {
  const j = Math.floor((site % lengths[0]) / 2);
  const group = Math.floor(site / lengths[0]) * Math.ceil(lengths[0] / 16) + Math.floor(j / 8);
  const half = (block: number) => {
    const counter = [group, sweep, 2 * colourOf(lengths, site) + block, sweep === 0 ? 1 : 0];
    const word = philoxReference(counter, seed)[Math.floor((j % 8) / 2)];
    return j % 2 === 0 ? word % 65536 : Math.floor(word / 65536);
  };
  return sweep === 0 ? half(0) % 2 : half(0) * 65536 + half(1);
}

export const randomSites = (lengths: readonly number[], seed: readonly number[]): Int8Array =>
  Int8Array.from({ length: countOf(lengths) }, (_, site) => 2 * uniformOfSites(lengths, site, 0, seed) - 1);

/** The sum of a site's neighbours, on a torus. */
export function neighborSum(lengths: readonly number[], spins: Int8Array, site: number): number {
  let sum = 0;
  for (const axis of lengths.keys()) {
    for (const by of [-1, 1]) sum += spins[neighbor(lengths, site, axis, by)!];
  }
  return sum;
}

export function randomStart(lengths: readonly number[], seed: readonly number[]): Int8Array {
  return Int8Array.from({ length: countOf(lengths) }, (_, site) => {
    const [word, bit] = placeOf(lengths, site);
    const [drawn] = philoxReference([word, 0, 8 * colourOf(lengths, site), 1], seed);
    return (drawn >>> bit) & 1 ? 1 : -1;
  });
}

export const below = (uniform: number, probability: number): boolean =>
  uniform < Math.round(2 ** 32 * probability);

/** One sweep by Metropolis' rule or by heat bath, in place. */
export function plainSweep(
  rule: "metropolis" | "heat bath" | "metropolis by sites",
  lengths: readonly number[],
  spins: Int8Array,
  temperature: number,
  sweep: number,
  seed: readonly number[],
): void {
  for (const colour of [0, 1]) {
    for (const site of spins.keys()) {
      if (colourOf(lengths, site) !== colour) continue;
      const field = neighborSum(lengths, spins, site);
      const drawn =
        rule === "metropolis by sites"
          ? uniformOfSites(lengths, site, sweep, seed)
          : uniform(placeOf(lengths, site), sweep, colour, seed);
      if (rule === "heat bath") {
        spins[site] = below(drawn, 1 / (1 + Math.exp((-2 * field) / temperature))) ? 1 : -1;
        continue;
      }
      const rise = 2 * spins[site] * field;
      if (rise <= 0 || below(drawn, Math.exp(-rise / temperature))) spins[site] = -spins[site];
    }
  }
}
