import { formatNumber } from "../../core/format.ts";
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

/** "2x2x1" as blocks along x, y and z; of fewer numbers the last is along z. Null where nothing is written; undefined for other text. */
export function readBlocks(text: string): readonly number[] | null | undefined {
  const numbers = text.split(/[\s,x×*]+/i).filter((part) => part !== "");
  if (numbers.length === 0) return null;
  if (numbers.length > 3 || !numbers.every((part) => /^[1-9]\d{0,3}$/.test(part))) return undefined;
  return [1, 1, 1, ...numbers.map(Number)].slice(-3);
}

/** Why the requested blocks are not used; undefined where they are. */
export function whyChosen(blocks: readonly number[] | null, ranks: number): string | undefined {
  const count = blocks?.reduce((product, each) => product * each, 1) ?? ranks;
  return count === ranks
    ? undefined
    : `${blocks?.join(" × ")} makes ${count} blocks, but there are ${ranks} ranks, so Crinkle chooses the blocks.`;
}
