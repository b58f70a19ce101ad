// The grid's layers of cells, shared among ranks, and a rank's own in blocks that its GPU can bind.
import type { Box } from "../../../src/core/box.ts";
import type { Grid } from "../../../src/core/grid.ts";
import { valuesAround } from "../../../src/engine/ranks/block-values.ts";
import { subBlocks } from "../../../src/engine/ranks/sub-blocks.ts";
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

/**
 * A rank's layers in the fewest blocks that hold at most so many planes with their ghosts each: those that ranks cut their own into.
 * Throws RangeError where that is none.
 */
export function layerBlocks(
  place: RankPlace,
  nodes: number,
  ghosts: number,
  maxPlanes: number,
): readonly LayerBlock[] {
  if (maxPlanes < 2 + 2 * ghosts)
    throw new RangeError(
      `A block of ${maxPlanes} planes holds no layer with ${ghosts} ghosts on both sides.`,
    );
  const [first, end] = layersOf(place, nodes);
  const column: Grid = { kind: "uniform", dims: [2, 2, nodes], origin: [0, 0, 0], spacing: [1, 1, 1] };
  const own: Box = { first: [0, 0, first], end: [1, 1, end] };
  return subBlocks(column, own, ghosts, 4 * maxPlanes).map((cells) => {
    const planes = valuesAround(column, cells, ghosts);
    return { layers: [cells.first[2], cells.end[2]], planes: [planes.first[2], planes.end[2]] };
  });
}
