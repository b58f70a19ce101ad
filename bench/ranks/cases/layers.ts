// The grid's layers of cells, shared among ranks, and a rank's own in blocks that its GPU can bind.
import type { RankPlace } from "../inputs.ts";

/** From the first up to, but not including, the second. */
export type Span = readonly [first: number, end: number];

/** Layers of cells along z, with the planes of nodes that are read for them: those that they touch, and ghosts. */
export interface LayerBlock {
  readonly layers: Span;
  readonly planes: Span;
}

/** A rank's layers of a grid of so many planes of nodes. */
export function layersOf({ rank, size }: RankPlace, nodes: number): Span {
  const start = (of: number) => Math.floor((of * (nodes - 1)) / size);
  return [start(rank), start(rank + 1)];
}

/** A rank's layers in the fewest blocks that hold at most so many planes with their ghosts each. Throws RangeError where that is none. */
export function layerBlocks(
  place: RankPlace,
  nodes: number,
  ghosts: number,
  maxPlanes: number,
): readonly LayerBlock[] {
  const [first, end] = layersOf(place, nodes);
  const most = maxPlanes - 1 - 2 * ghosts;
  if (most < 1)
    throw new RangeError(
      `A block of ${maxPlanes} planes holds no layer with ${ghosts} ghosts on both sides.`,
    );
  const count = Math.max(1, Math.ceil((end - first) / most));
  const start = (k: number) => first + Math.floor((k * (end - first)) / count);
  return Array.from({ length: count }, (_, k) => {
    const layers = [start(k), start(k + 1)] as const;
    return { layers, planes: [Math.max(0, layers[0] - ghosts), Math.min(nodes, layers[1] + 1 + ghosts)] };
  });
}
