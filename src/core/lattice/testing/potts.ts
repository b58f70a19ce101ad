/** The Potts model site by site, in plain loops, with the random numbers that docs/lattices.md defines. */
import { neighbor } from "../../hypercube/coordinates.ts";
import { countOf } from "../../hypercube/shape.ts";
import { below, colourOf } from "./ising.ts";
import { philoxReference } from "./philox.ts";

/** One of the words that a site has in two blocks from `first` on. */
function wordOf(
  lengths: readonly number[],
  site: number,
  [sweep, first, stream]: readonly [number, number, number],
  seed: readonly number[],
): number {
  const row = Math.floor(site / lengths[0]);
  const j = Math.floor((site % lengths[0]) / 2);
  const word = row * Math.ceil(lengths[0] / 16) + Math.floor(j / 8);
  const block = 8 * colourOf(lengths, site) + first + Math.floor((j % 8) / 4);
  return philoxReference([word, sweep, block, stream], seed)[j % 4];
}

/** How many of a site's neighbours are in a state. */
export function sameStates(
  lengths: readonly number[],
  states: Int8Array,
  site: number,
  state: number,
): number {
  let count = 0;
  for (const axis of lengths.keys()) {
    for (const by of [-1, 1]) if (states[neighbor(lengths, site, axis, by)!] === state) count++;
  }
  return count;
}

export const randomStates = (lengths: readonly number[], q: number, seed: readonly number[]): Int8Array =>
  Int8Array.from({ length: countOf(lengths) }, (_, site) =>
    Math.floor((wordOf(lengths, site, [0, 0, 1], seed) * q) / 2 ** 32),
  );

/** One sweep, in place. */
export function plainPottsSweep(
  lengths: readonly number[],
  states: Int8Array,
  { states: q, temperature }: { readonly states: number; readonly temperature: number },
  sweep: number,
  seed: readonly number[],
): void {
  for (const colour of [0, 1]) {
    for (const site of states.keys()) {
      if (colourOf(lengths, site) !== colour) continue;
      const step = 1 + Math.floor((wordOf(lengths, site, [sweep, 2, 0], seed) * (q - 1)) / 2 ** 32);
      const other = (states[site] + step) % q;
      const rise = sameStates(lengths, states, site, states[site]) - sameStates(lengths, states, site, other);
      const chance = wordOf(lengths, site, [sweep, 0, 0], seed);
      if (rise <= 0 || below(chance, Math.exp(-rise / temperature))) states[site] = other;
    }
  }
}
