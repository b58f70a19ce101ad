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

/** Elements of a thread: those of neighbouring lanes are neighbours. */
const items = 16;
export const tileSize = threads * items;

export const eachItem = (code: (k: number) => string): string =>
  Array.from({ length: items }, (_, k) => code(k)).join("\n  ");

/** A lane's first element; its others follow at distances of `size`. */
export const firstElement = `tile * tile_size + share * ${items}u * size + lane`;
