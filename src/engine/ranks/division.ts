import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Triple } from "../../core/grid.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { ghostLayers } from "../../lang/expression/plan/blocks.ts";
import { chooseBlocks, type WantedBlocks } from "./blocks.ts";
import type { DataDescription } from "./data-description.ts";
import type { DataSource } from "./data-source.ts";

/** How a grid is to be divided among ranks. */
export interface Division {
  /**
   * Those of the job before, whoever has chosen them, or those that are wanted: chosen where they are null, or where the number of ranks
   * is another one, because some may have been lost.
   */
  readonly blocks: WantedBlocks | "as before";
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
  /** Somebody has asked for these blocks. */
  readonly isWanted: boolean;
}

const blockCount = (counts: readonly number[]): number => counts.reduce((product, each) => product * each, 1);

/** What a rank says of the division that it has kept, if it is of these data and of so many ranks. */
export const keptOf = (kept: KeptDivision | undefined, source: DataSource, ranks: number): Value =>
  kept && blockCount(kept.counts) === ranks && JSON.stringify(kept.source) === JSON.stringify(source)
    ? [...kept.counts, kept.ghosts, Number(kept.isWanted)]
    : null;

const isKept = (told: Value): told is number[] =>
  Array.isArray(told) &&
  told.length === 5 &&
  told.every((each) => Number.isInteger(each) && Number(each) >= 0);

/**
 * The division that all ranks take, who have told each other what they have kept: the blocks that are wanted; or the first that a
 * rank has kept, so that ranks need not read again, as long as the layers around them are enough; else those that are chosen for these
 * data.
 */
export async function agreedDivision(
  { blocks, ghosts }: Division,
  kept: readonly Value[],
  { grid, fields }: DataDescription,
): Promise<Omit<KeptDivision, "source">> {
  const ranks = kept.length;
  const layers = ranks > 1 ? ((await ghosts?.(fields)) ?? 0) : 0;
  if (Array.isArray(blocks) && blockCount(blocks) === ranks) {
    const [x, y, z] = blocks;
    return { counts: [x, y, z], ghosts: layers, isWanted: true };
  }
  const [x, y, z, read, isWanted] = kept.find(isKept) ?? [];
  const isEnough = blockCount([x, y, z]) === ranks && layers <= read;
  if (isEnough && (isWanted === 0 || blocks === "as before"))
    return { counts: [x, y, z], ghosts: read, isWanted: isWanted === 1 };
  return { counts: chooseBlocks(grid, ranks, layers), ghosts: layers, isWanted: false };
}
