/** Clusters in plain loops, with the random numbers that docs/lattices.md defines. */
import { neighbor } from "../../hypercube/coordinates.ts";
import { below } from "./ising.ts";
import { philoxReference } from "./philox.ts";

/** Of each site the least number in its cluster. Bit i of a site's word is the bond to the site above it along axis i. */
export function plainLabels(lengths: readonly number[], bonds: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const labels = new Uint32Array(bonds.length).fill(bonds.length);
  for (const first of labels.keys()) {
    if (labels[first] < first) continue;
    const found = [first];
    for (let site = found.pop(); site !== undefined; site = found.pop()) {
      if (labels[site] === first) continue;
      labels[site] = first;
      for (const axis of lengths.keys()) {
        if ((bonds[site] >> axis) & 1) found.push(neighbor(lengths, site, axis, 1)!);
        const under = neighbor(lengths, site, axis, -1)!;
        if ((bonds[under] >> axis) & 1) found.push(under);
      }
    }
  }
  return labels;
}

export const randomClusterStates = (sites: number, q: number, seed: readonly number[]): Int8Array =>
  Int8Array.from({ length: sites }, (_, site) =>
    Math.floor((philoxReference([site, 0, 0, 1], seed)[0] * q) / 2 ** 32),
  );

/** The states after a sweep; p is a bond's probability. */
export function plainClusterSweep(
  lengths: readonly number[],
  states: Int8Array,
  { q, p }: { readonly q: number; readonly p: number },
  sweep: number,
  seed: readonly number[],
): Int8Array {
  const bonds = Array.from(states, (own, site) =>
    [...lengths.keys()].reduce((bits, axis) => {
      const random = philoxReference([site, sweep, Math.floor(axis / 4), 0], seed)[axis % 4];
      const isBound = states[neighbor(lengths, site, axis, 1)!] === own && below(random, p);
      return isBound ? bits | (1 << axis) : bits;
    }, 0),
  );
  return Int8Array.from(plainLabels(lengths, bonds), (label) =>
    Math.floor((philoxReference([label, sweep, 0, 2], seed)[0] * q) / 2 ** 32),
  );
}
