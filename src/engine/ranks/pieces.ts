/** Files that ranks write side by side, each its own piece of a result, and the index that names them. */
import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import type { RecordedRun } from "./recorded-run.ts";

const maxLength = 4096;

/** The path of an index, which has one of these extensions. Throws BadMessage. */
export function parseIndex<E extends string>(
  path: Value | undefined,
  extensions: readonly E[],
): { readonly path: string; readonly extension: E } {
  const extension = extensions.find(
    (each) => typeof path === "string" && path.toLowerCase().endsWith(`.${each}`),
  );
  if (typeof path !== "string" || path.length > maxLength || extension === undefined) {
    throw badMessage("pieces without an index");
  }
  return { path, extension };
}

/** Beside "f.pvti", rank 2's piece is "f_2.vti": the index has the extension of pieces behind a p. */
const pieceOf = (index: string, rank: number): string => {
  const dot = index.lastIndexOf(".");
  return `${index.slice(0, dot)}_${rank}.${index.slice(dot + 2)}`;
};

/** The piece's name in the index, which lies in the same folder. */
export const sourceOf = (index: string, rank: number): string =>
  pieceOf(index, rank).split(/[/\\]/).at(-1) as string;

/**
 * Each rank that has a piece writes it; rank 0 writes the index as soon as all pieces are there. Throws Refused where a
 * rank may write no files, and BadArgument where it cannot.
 */
export async function writePieces(
  { engine, communicator }: Pick<RecordedRun, "engine" | "communicator">,
  index: string,
  piece: Chunks | undefined,
  writeIndex: () => Chunks,
): Promise<void> {
  const { write } = engine;
  if (!write) {
    throw new CrinkleError({
      tag: "Refused",
      problem: `Rank ${communicator.rank} may not write files.`,
      remedy: "Start it with --out and the folder that they are for, or gather the result in one file.",
    });
  }
  if (piece) await write(pieceOf(index, communicator.rank), piece);
  await communicator.barrier();
  if (communicator.rank === 0) await write(index, writeIndex());
}
