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

/** How a tile of elements is shared out, with or without subgroup operations. */
export interface TileShape {
  readonly subgroups: boolean;
  readonly threads: number;
  /** Elements of a thread: those of neighbouring lanes are neighbours. */
  readonly items: number;
}

/** Elements that a workgroup compacts at a time, in either shape: threads · items. */
export const tileSize = 4096;

/** Few threads with many elements keep more reads under way while look-back waits. */
export const chainedShape: TileShape = { subgroups: true, threads: 128, items: 32 };
export const plainShape = (subgroups: boolean): TileShape => ({ subgroups, threads: 256, items: 16 });

export const eachItem = ({ items }: TileShape, code: (k: number) => string): string =>
  Array.from({ length: items }, (_, k) => code(k)).join("\n  ");

/** A lane's first element; its others follow at distances of `size`. */
export const firstElement = ({ items }: TileShape): string =>
  `tile * tile_size + share * ${items}u * size + lane`;
