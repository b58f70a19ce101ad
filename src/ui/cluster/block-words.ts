import type { RankReport } from "../../engine/cluster/api.ts";

type Block = RankReport["block"];

const isEmpty = (block: Block): boolean => block.some(([first, end]) => first === end);

/** How many blocks the ranks have along x, y and z. */
const blocksAlong = (ranks: readonly Pick<RankReport, "block">[]): number[] => {
  const blocks = ranks.map(({ block }) => block).filter((block) => !isEmpty(block));
  return [0, 1, 2].map((axis) => new Set(blocks.map((block) => block[axis][0])).size);
};

/** How the ranks have divided the grid. */
export function divisionSentence(ranks: readonly Pick<RankReport, "block">[]): string {
  const along = blocksAlong(ranks);
  const divided = along.flatMap((count, axis) => (count > 1 ? ["xyz"[axis]] : []));
  if (divided.length === 0) return "One rank has the whole grid.";
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
