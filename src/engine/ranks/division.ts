import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Grid, Triple } from "../../core/grid.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { ghostLayers } from "../../lang/expression/plan/blocks.ts";
import { chooseBlocks, type WantedBlocks } from "./blocks.ts";
import type { DataDescription } from "./data-description.ts";
import type { DataSource } from "./data-source.ts";

/** How a grid is to be divided among ranks. */
export interface Division {
  /** Chosen where the number of ranks is another one, too: some may have been lost. */
  readonly blocks: WantedBlocks;
  /** Layers around blocks that will be read, where this is known of the data's fields: the choice depends on it. */
  ghosts?(fields: DataDescription["fields"]): Promise<number>;
}
/** The division of a grid for texts whose values are needed in each block, and in so many layers around it. */
export const divisionFor = (
  blocks: WantedBlocks,
  texts: readonly (string | null)[],
  margin: number,
): Division => ({
  blocks,
  async ghosts(fields) {
    let layers = 0;
    for (const text of texts) {
      if (text === null) continue;
      const network = await compileOnDemand(text, fields);
      layers = Math.max(layers, ghostLayers(network, network.outputs));
    }
    return layers + margin;
  },
});

/** How data were divided, and how many layers were read around the blocks: what a rank has read then, it has for the next job. */
export interface KeptDivision {
  readonly source: DataSource;
  readonly counts: Triple;
  readonly ghosts: number;
}

/** Blocks in all. */
export const blockCount = (counts: readonly number[]): number =>
  counts.reduce((product, each) => product * each, 1);

/** What a rank says of the division that it has kept, if it is of these data and of so many ranks. */
export const keptOf = (kept: KeptDivision | undefined, source: DataSource, ranks: number): Value =>
  kept && blockCount(kept.counts) === ranks && JSON.stringify(kept.source) === JSON.stringify(source)
    ? [...kept.counts, kept.ghosts]
    : null;

/**
 * The division that all ranks take: the first one that a rank has kept, as long as the layers around its blocks are enough, so that
 * they need not read again; else the one that is chosen for these data.
 */
export function agreedDivision(
  kept: readonly Value[],
  grid: Grid,
  ghosts: number,
): Pick<KeptDivision, "counts" | "ghosts"> {
  const isDivision = (each: Value): each is number[] =>
    Array.isArray(each) &&
    each.length === 4 &&
    each.every((count) => Number.isInteger(count) && Number(count) >= 0);
  const found = kept.find(isDivision);
  if (found) {
    const [x, y, z, layers] = found;
    if (blockCount([x, y, z]) === kept.length && ghosts <= layers)
      return { counts: [x, y, z], ghosts: layers };
  }
  return { counts: chooseBlocks(grid, kept.length, ghosts), ghosts };
}
