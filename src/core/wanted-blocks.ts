import { CrinkleError } from "./errors.ts";
import type { Triple } from "./grid.ts";

/** Blocks along x, y and z that somebody has asked for, or as many layers along z as there are ranks; null where they are chosen. */
export type WantedBlocks = readonly number[] | "layers" | null;

/** Throws BadArgument unless there is a block for each rank. */
export function checkBlocks(blocks: WantedBlocks, ranks: number): void {
  if (blocks === null || blocksOf(blocks, ranks)) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `The blocks ${typeof blocks === "string" ? blocks : blocks.join("x")} are not one for each of ${ranks} ranks.`,
    remedy: `Give three whole numbers whose product is ${ranks}, such as 1x1x${ranks}.`,
  });
}

/** The blocks that are wanted, where there is one for each of so many ranks. */
export function blocksOf(wanted: WantedBlocks, ranks: number): Triple | undefined {
  if (wanted === "layers") return [1, 1, ranks];
  return factorings(ranks).find((counts) => String(counts) === String(wanted));
}

/** All divisions into a block for each of so many ranks, those with the least along x first, then those with the least along y. */
export function factorings(product: number): Triple[] {
  const divisors = (n: number) => Array.from({ length: n }, (_, i) => i + 1).filter((each) => n % each === 0);
  return divisors(product).flatMap((x) =>
    divisors(product / x).map((y): Triple => [x, y, product / (x * y)]),
  );
}
