import { CrinkleError } from "../../core/errors.ts";
import { formatNumber } from "../../core/format.ts";
import { checkBlocks, factorings, type WantedBlocks } from "../../core/wanted-blocks.ts";
import type { RankReport } from "../../engine/cluster/api.ts";

type Block = RankReport["block"];

const isEmpty = (block: Block): boolean => block.some(([first, end]) => first === end);

/** How many blocks the ranks have along x, y and z. */
const blocksAlong = (ranks: readonly Pick<RankReport, "block">[]): number[] => {
  const blocks = ranks.map(({ block }) => block).filter((block) => !isEmpty(block));
  return [0, 1, 2].map((axis) => new Set(blocks.map((block) => block[axis][0])).size);
};

/** How the ranks have divided the grid. */
export function divisionSentence(ranks: readonly Pick<RankReport, "block" | "speed">[]): string {
  const along = blocksAlong(ranks);
  const divided = along.flatMap((count, axis) => (count > 1 ? ["xyz"[axis]] : []));
  if (divided.length === 0) return "One rank has the whole grid.";
  const speeds = ranks.flatMap(({ speed }) => (speed === undefined ? [] : [formatNumber(speed, 2)]));
  if (speeds.length > 0)
    return `The grid is divided into layers along z by the ranks’ measured speeds, ${speeds.join(" : ")}.`;
  if (divided.length === 1) return `The grid is divided into layers along ${divided[0]}.`;
  return `The grid is divided into ${along.join(" × ")} blocks along x, y and z.`;
}

/** A rank's cells along those directions in which the grid is divided. */
export function cellsOf({ block }: Pick<RankReport, "block">, ranks: readonly Pick<RankReport, "block">[]) {
  if (isEmpty(block)) return "none";
  const along = blocksAlong(ranks);
  const ranges = block.flatMap(([first, end], axis) =>
    along[axis] > 1 ? [`${"xyz"[axis]} ${first} – ${end - 1}`] : [],
  );
  return ranges.length > 0 ? ranges.join(", ") : "all";
}

interface BlockChoice {
  /** What is wanted, as text. */
  readonly value: string;
  readonly label: string;
  readonly blocks: WantedBlocks;
}

/** Into what a person can have so many ranks divide a grid; among it what is wanted now, be it for another number of ranks. */
export function blockChoices(ranks: number, wanted: WantedBlocks): readonly BlockChoice[] {
  const several = factorings(ranks).filter(([x, y]) => x * y > 1);
  const isNamed = !Array.isArray(wanted) || several.some((counts) => String(counts) === String(wanted));
  const blocks = [...several, ...(isNamed ? [] : [wanted])];
  return [
    { value: textOf(null), label: "Automatic", blocks: null },
    { value: textOf("layers"), label: "Layers along z", blocks: "layers" },
    ...blocks.map((counts) => ({ value: textOf(counts), label: counts.join(" × "), blocks: counts })),
  ];
}

export const textOf = (wanted: WantedBlocks): string => String(wanted);

/** Why the wanted blocks are not used; undefined where they are. */
export function whyChosen(wanted: WantedBlocks, ranks: number): string | undefined {
  try {
    checkBlocks(wanted, ranks);
    return undefined;
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    return `${error.message} Until then, Crinkle chooses them.`;
  }
}
