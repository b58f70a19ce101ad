/** The Heisenberg model site by site, in plain loops, with the random numbers that docs/lattices.md defines. */
import { neighbor } from "../../hypercube/coordinates.ts";
import { countOf } from "../../hypercube/shape.ts";
import { below, colourOf } from "./ising.ts";
import { philoxReference } from "./philox.ts";

type Spin = readonly number[];

/** Its components are whole, and its length is 4096 but for rounding; zeros if no word has a point in the shell. */
export function directionReference(words: readonly number[]): Spin {
  for (const word of words.slice(0, 3)) {
    const point = [0, 1, 2].map((axis) => 2 * (Math.floor(word / 1024 ** axis) % 1024) - 1023);
    const square = point.reduce((sum, c) => sum + c * c, 0);
    if (square < 256 ** 2 || square >= 1024 ** 2) continue;
    const size = Math.round(64 * Math.sqrt(square));
    return point.map((c) => Math.sign(c) * Math.floor((Math.abs(c) * 2 ** 18 + Math.floor(size / 2)) / size));
  }
  return [0, 0, 0];
}

/** The number of a site in its half. */
const elementOf = (lengths: readonly number[], site: number): number =>
  Math.floor(site / lengths[0]) * (lengths[0] / 2) + Math.floor((site % lengths[0]) / 2);

const isZero = (spin: Spin): boolean => spin.every((c) => c === 0);

export const randomSpins = (lengths: readonly number[], seed: readonly number[]): Spin[] =>
  Array.from({ length: countOf(lengths) }, (_, site) => {
    for (let block = 0; ; block++) {
      const counter = [elementOf(lengths, site), block, colourOf(lengths, site), 1];
      const spin = directionReference(philoxReference(counter, seed));
      if (!isZero(spin)) return spin;
    }
  });

const dot = (a: Spin, b: Spin): number => a.reduce((sum, c, axis) => sum + c * b[axis], 0);

const spinsField = (lengths: readonly number[], spins: readonly Spin[], site: number): Spin =>
  [0, 1, 2].map((c) =>
    [...lengths.keys()]
      .flatMap((axis) => [-1, 1].map((by) => spins[neighbor(lengths, site, axis, by)!][c]))
      .reduce((sum, value) => sum + value, 0),
  );

/** One sweep, in place. */
export function plainHeisenbergSweep(
  lengths: readonly number[],
  spins: Spin[],
  temperature: number,
  sweep: number,
  seed: readonly number[],
): void {
  for (const colour of [0, 1]) {
    for (const site of spins.keys()) {
      if (colourOf(lengths, site) !== colour) continue;
      const words = philoxReference([elementOf(lengths, site), sweep, colour, 0], seed);
      const proposed = directionReference(words);
      if (isZero(proposed)) continue;
      const field = spinsField(lengths, spins, site);
      const rise = (dot(spins[site], field) - dot(proposed, field)) / 4096 ** 2;
      if (rise <= 0 || below(words[3], Math.exp(-rise / temperature))) spins[site] = proposed;
    }
  }
}

/** The energy of the whole lattice. */
export const heisenbergEnergy = (lengths: readonly number[], spins: readonly Spin[]): number =>
  spins.reduce((sum, spin, site) => sum - dot(spin, spinsField(lengths, spins, site)) / 2, 0) / 4096 ** 2;
