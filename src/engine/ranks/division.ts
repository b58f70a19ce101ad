import type { Value } from "../../cluster/communicator/communicator.ts";
import { cellDims, type Grid, type Triple } from "../../core/grid.ts";
import { blocksOf, type WantedBlocks } from "../../core/wanted-blocks.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { ghostLayers } from "../../lang/expression/plan/blocks.ts";
import { chooseBlocks } from "./blocks.ts";
import type { DataDescription } from "./data-description.ts";
import type { DataSource } from "./data-source.ts";
import { areFairer, type FairLayers, fairLayers, sharesOf } from "./fair-layers.ts";

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
      layers = Math.max(layers, ghostLayers(network, network.outputs, "sent"));
    }
    return layers + margin;
  },
});

/** How data were divided, and how many layers were read around the blocks: what a rank has read then, it has for the next job. */
export interface KeptDivision {
  readonly source: DataSource;
  readonly counts: Triple;
  /** Where the ranks have layers by their speeds: `counts` are then as many along z. */
  readonly fair: FairLayers | null;
  readonly ghosts: number;
  /** Somebody has asked for these blocks. */
  readonly isWanted: boolean;
}

type Agreed = Omit<KeptDivision, "source">;

const blockCount = (counts: readonly number[]): number => counts.reduce((product, each) => product * each, 1);

/** What a rank says of the division that it has kept, if it is of these data and of so many ranks. */
export function keptOf(kept: KeptDivision | undefined, source: DataSource, ranks: number): Value {
  if (!kept || blockCount(kept.counts) !== ranks || JSON.stringify(kept.source) !== JSON.stringify(source))
    return null;
  const { counts, fair, ghosts, isWanted } = kept;
  return { counts, fair: fair && [fair.ends, fair.speeds], ghosts, isWanted };
}

/** What a rank has sent of the division that it has kept; undefined where that is none of the grid among so many ranks. */
function parseDivision(value: Value, grid: Grid, ranks: number): Agreed | undefined {
  const { counts, fair, ghosts, isWanted } = (value ?? {}) as Readonly<Record<string, Value>>;
  if (!areNumbers(counts, 3) || !counts.every(isCount) || blockCount(counts) !== ranks) return undefined;
  if (!isCount(ghosts) || typeof isWanted !== "boolean") return undefined;
  const layers = fair === null ? null : parseLayers(fair, grid, ranks);
  const [x, y, z] = counts;
  return layers === undefined ? undefined : { counts: [x, y, z], fair: layers, ghosts, isWanted };
}

function parseLayers(value: Value, grid: Grid, ranks: number): FairLayers | undefined {
  const [ends, speeds] = Array.isArray(value) ? (value as readonly Value[]) : [];
  if (!areNumbers(ends, ranks) || !areNumbers(speeds, ranks)) return undefined;
  const areLayers = ends.every((end, rank) => isCount(end) && end > (ends[rank - 1] ?? 0));
  const isWhole = ends[ranks - 1] === cellDims(grid)[2];
  return areLayers && isWhole && speeds.every((speed) => speed > 0) ? { ends, speeds } : undefined;
}

const isCount = (value: Value | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const areNumbers = (value: Value | undefined, length: number): value is readonly number[] =>
  Array.isArray(value) && value.length === length && value.every((each) => typeof each === "number");

/**
 * The division that all ranks take, who have exchanged what they have kept: the blocks that are wanted; or the first that a
 * rank has kept, so that ranks need not read again, as long as the layers around them are enough, and the ranks would not be done
 * sooner by layers in proportion to their speeds; else those, or blocks that are chosen for these data.
 */
export async function agreedDivision(
  { blocks, ghosts }: Division,
  kept: readonly Value[],
  speeds: readonly number[] | undefined,
  { grid, fields }: DataDescription,
): Promise<Agreed> {
  const ranks = kept.length;
  const layers = ranks > 1 ? ((await ghosts?.(fields)) ?? 0) : 0;
  const wanted = blocks === "as before" ? undefined : blocksOf(blocks, ranks);
  if (wanted) return { counts: wanted, fair: null, ghosts: layers, isWanted: true };
  const fair = speeds && fairLayers(grid, speeds);
  const isUnfair = (division: Agreed) => fair && areFairer(grid, sharesOf(grid, division), fair);
  const former = kept.map((each) => parseDivision(each, grid, ranks)).find((each) => each !== undefined);
  if (former && layers <= former.ghosts) {
    if (blocks === "as before" || (!former.isWanted && !isUnfair(former))) return former;
  }
  const counts = chooseBlocks(grid, ranks, layers);
  const even: Agreed = { counts, fair: null, ghosts: layers, isWanted: false };
  return fair && isUnfair(even) ? { ...even, counts: [1, 1, ranks], fair } : even;
}
