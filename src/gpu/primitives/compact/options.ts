import type { Predicate } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";

/** What tells selected elements: a predicate of the element (one word), or a u32 for each that is not 0. */
export type SelectionKind = { readonly where: Predicate } | "stencil";

export interface CompactKernel {
  /** What the predicate takes; does not matter where a stencil selects. */
  readonly type: ScalarType;
  /** Words of an element, 1 to 4; 1 where a predicate selects. */
  readonly words: number;
  readonly selection: SelectionKind;
  /** Which elements go out, or both: the selected ones before the others. */
  readonly keeps: "selected" | "rejected" | "both";
}

export const threads = 256;

/** Elements that a thread takes in each of its rows, at once. */
const rowItems = 4;

/** Rows of a tile: an even number. */
export const rows = 4;
export const tileSize = threads * rows * rowItems;

export const eachRow = (code: (row: number) => string): string =>
  Array.from({ length: rows }, (_, r) => code(r)).join("\n  ");
/** Rows come in pairs, whose counts share a word. */
export const eachPair = (code: (pair: number) => string): string =>
  Array.from({ length: rows / 2 }, (_, p) => code(p)).join("\n  ");

/** Whether the tile's elements stay in workgroup memory; otherwise their places do. */
export const staysInTile = ({ selection }: CompactKernel): boolean => selection !== "stencil";
