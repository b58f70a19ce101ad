/** Lattices divided among ranks: whole layers across the slowest axis, with copies of layers of others around them. */
import type { LatticePlan } from "./model.ts";

/** Elements of arrays that are rings: behind the last comes the first. */
export interface ElementRange {
  readonly first: number;
  readonly count: number;
}

/** What one rank has. */
export interface RankLayers {
  /** Its own layers: from `first` up to, but not with, `end`. */
  readonly first: number;
  readonly end: number;
}

export interface LayerDivision {
  /** Layers of the whole lattice. */
  readonly layers: number;
  readonly elementsPerLayer: number;
  /** Of each rank that has layers, in rank order; the ranks behind them have none. */
  readonly ranks: readonly RankLayers[];
  /** Layers of others that a rank holds on both sides of its own; 0 where one rank has all. */
  readonly ghosts: number;
}

/** At most such a part of its own layers a rank holds, and computes, of others on either side, */
const ghostShare = 1 / 8;

/** or as many as its own, up to so many: of small lattices, computing them twice takes less time than exchanging them. */
const fewGhosts = 32;

/** Whether the sites of an axis alone share elements, so that nobody knows which sites are an element's. */
const isPacked = ({ lengths, length }: Pick<LatticePlan, "lengths" | "length">): boolean =>
  lengths.length === 1 && length < lengths[0];

/** Layers of a plan's arrays. An axis alone that is packed, several sites an element, has a layer for each element. */
const layerCount = ({ lengths, length }: LatticePlan): number => {
  const slowest = lengths[lengths.length - 1];
  return isPacked({ lengths, length }) ? length : slowest;
};

/**
 * Even shares for as many of `size` ranks as can have layers: with what is read on both sides, no rank holds a layer twice. A packed axis
 * is one rank's.
 */
export function divideLayers(plan: LatticePlan, size: number): LayerDivision {
  const layers = layerCount(plan);
  const { reach = 1 } = plan;
  const elementsPerLayer = plan.length / layers;
  const fits = (ranks: number) => Math.ceil(layers / ranks) + 2 * reach <= layers;
  let count = isPacked(plan) ? 1 : Math.min(size, layers);
  while (count > 1 && !fits(count)) count--;
  const ranks = Array.from({ length: count }, (_, rank) => ({
    first: Math.floor((rank * layers) / count),
    end: Math.floor(((rank + 1) * layers) / count),
  }));
  if (count === 1) return { layers, elementsPerLayer, ranks, ghosts: 0 };
  const own = ranks.map(({ first, end }) => end - first);
  const most = Math.floor((layers - Math.max(...own)) / 2);
  const least = Math.min(...own);
  const wanted = Math.max(reach, Math.floor(ghostShare * least), Math.min(fewGhosts, least));
  return { layers, elementsPerLayer, ranks, ghosts: Math.min(most, wanted) };
}

/** Elements of a rank's layers with so many more on both sides. */
export function elementsAround(
  { layers, elementsPerLayer }: LayerDivision,
  { first, end }: RankLayers,
  more: number,
): ElementRange {
  const start = (first - more + layers) % layers;
  return { first: start * elementsPerLayer, count: (end - first + 2 * more) * elementsPerLayer };
}

/** The same elements as ranges that do not go on behind the last of `length`. */
export function unrolled({ first, count }: ElementRange, length: number): readonly ElementRange[] {
  const beyond = first + count - length;
  if (beyond <= 0) return [{ first, count }];
  return [
    { first, count: count - beyond },
    { first: 0, count: beyond },
  ];
}
