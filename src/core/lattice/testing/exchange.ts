/** Exchange of neighbouring spins bond by bond, in plain loops over any lattice that is given by its neighbours. */
import { neighbor, toCoordinates, toIndex } from "../../hypercube/coordinates.ts";
import { countOf } from "../../hypercube/shape.ts";
import { below } from "./ising.ts";
import { philoxReference } from "./philox.ts";

export interface Graph {
  readonly sites: number;
  /** Sites beside each site. */
  readonly neighbors: readonly (readonly number[])[];
  /** Pairs in the order of a sweep, with two words of the counter of their random number. */
  readonly pairs: readonly {
    readonly ends: readonly [number, number];
    readonly counter: readonly [number, number];
  }[];
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

export function cubicGraph(lengths: readonly number[]): Graph {
  const sites = Array.from({ length: countOf(lengths) }, (_, site) => site);
  const axes = [...lengths.keys()];
  return {
    sites: sites.length,
    neighbors: sites.map((site) =>
      axes.flatMap((axis) => [-1, 1].map((by) => neighbor(lengths, site, axis, by)!)),
    ),
    pairs: axes.flatMap((axis) =>
      [0, 1, 2, 3].flatMap((step) =>
        sites
          .filter((site) => {
            const x = toCoordinates(lengths, site);
            const sum = x.reduce((total, value, other) => total + (other === axis ? value : 2 * value), 0);
            return sum % 4 === step;
          })
          .map((site) => ({
            ends: [site, neighbor(lengths, site, axis, 1)!] as const,
            counter: [site, axis] as const,
          })),
      ),
    ),
  };
}

/** Corners first, then centres. */
export function bodyCentredGraph(lengths: readonly number[]): Graph {
  const cells = Array.from({ length: countOf(lengths) }, (_, cell) => cell);
  const corners = Array.from({ length: 2 ** lengths.length }, (_, by) => by);
  const classes = [2, 4, 4, 8, 8, 8][lengths.length - 1];
  const moved = (cell: number, by: number, sign: number) =>
    toIndex(
      lengths,
      toCoordinates(lengths, cell).map((x, axis) => modulo(x + sign * ((by >> axis) & 1), lengths[axis])),
    );
  const phase = (cell: number, by: number) =>
    modulo(
      toCoordinates(lengths, cell).reduce((sum, x, axis) => sum + ((by >> axis) & 1 ? -x : x), 0),
      classes,
    );
  return {
    sites: 2 * cells.length,
    neighbors: [
      ...cells.map((cell) => corners.map((by) => cells.length + moved(cell, by, -1))),
      ...cells.map((cell) => corners.map((by) => moved(cell, by, 1))),
    ],
    pairs: corners.flatMap((by) =>
      Array.from({ length: classes }, (_, step) => step).flatMap((step) =>
        cells
          .filter((cell) => phase(cell, by) === step)
          .map((cell) => ({
            ends: [moved(cell, by, 1), cells.length + cell] as const,
            counter: [cell, by] as const,
          })),
      ),
    ),
  };
}

export const energyOf = ({ neighbors }: Graph, spins: ArrayLike<number>): number =>
  neighbors.reduce(
    (sum, near, site) => sum - near.reduce((s, other) => s + spins[other], 0) * spins[site],
    0,
  ) / 2;

/** One sweep, in place, whose pairs exchange their spins one after the other. */
export function plainExchangeSweep(
  graph: Graph,
  spins: Int8Array,
  temperature: number,
  sweep: number,
  seed: readonly number[],
): void {
  for (const {
    ends: [a, b],
    counter: [first, direction],
  } of graph.pairs) {
    if (spins[a] === spins[b]) continue;
    const field = (site: number) => graph.neighbors[site].reduce((sum, other) => sum + spins[other], 0);
    // The bond between both ends stays as it is.
    const rise = 2 * (spins[a] * (field(a) - spins[b]) + spins[b] * (field(b) - spins[a]));
    const [drawn] = philoxReference([first, sweep, direction, 0], seed);
    if (below(drawn, 1 / (1 + Math.exp(rise / temperature)))) [spins[a], spins[b]] = [spins[b], spins[a]];
  }
}

/** The energies of all states with so many spins up. */
export function energiesOf(graph: Graph, up: number): number[] {
  const spins = new Int8Array(graph.sites).fill(-1);
  const energies: number[] = [];
  const choose = (from: number, left: number) => {
    if (left === 0) {
      energies.push(energyOf(graph, spins));
      return;
    }
    for (let site = from; site <= graph.sites - left; site++) {
      spins[site] = 1;
      choose(site + 1, left - 1);
      spins[site] = -1;
    }
  };
  choose(0, up);
  return energies;
}
