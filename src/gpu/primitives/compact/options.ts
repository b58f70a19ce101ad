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

/** A tile's kernels come with vec4 or scalar access, and with or without subgroup operations. */
export interface TileShape {
  readonly isVector: boolean;
  readonly subgroups: boolean;
  /** Rows of a tile: an even number. */
  readonly rows: number;
}

/** Rows of a tile that fit in a workgroup's memory, with some to spare, and leave room for other workgroups. */
export const rowsWithin = (workgroupBytes: number): number => (workgroupBytes >= 32768 ? 4 : 2);

export const tileSize = (rows: number): number => threads * rows * rowItems;

/** Code for each row, and for each pair of rows, whose counts share a word. */
export const eachRow = (rows: number, code: (row: number) => string): string =>
  Array.from({ length: rows }, (_, r) => code(r)).join("\n  ");
export const eachPair = (rows: number, code: (pair: number) => string): string => eachRow(rows / 2, code);

/** Whether the tile's elements stay in workgroup memory; otherwise their places do. */
export const staysInTile = ({ selection }: CompactKernel): boolean => selection !== "stencil";
