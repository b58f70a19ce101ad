import type { Predicate } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { GpuContext } from "../../device/context.ts";

/** What selects elements: a predicate of the element (one word), or a u32 for each that is not 0. */
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
  /**
   * Lanes of every subgroup, at most 64, where the device has subgroups of one size. A lane then has pairs of
   * neighbours, which it reads at once.
   */
  readonly lanes?: number;
}

/** Elements that a workgroup compacts at a time. */
export const tileSize = ({ threads, items }: TileShape): number => threads * items;

/**
 * Shape of a chained compaction. Many elements a thread keep more reads under way while look-back waits; software
 * adapters, whose compilers take seconds for what is unrolled, have few.
 */
export function chainedShape({
  device: { limits, adapterInfo },
  adapter: { isSoftware },
}: GpuContext): TileShape {
  const { subgroupMinSize: lanes, subgroupMaxSize: maxLanes } = adapterInfo;
  if (lanes !== maxLanes || !(lanes >= 4 && lanes <= 64)) {
    return { subgroups: true, threads: 128, items: isSoftware ? 8 : 32 };
  }
  return {
    subgroups: true,
    threads: limits.maxComputeInvocationsPerWorkgroup >= 512 ? 512 : 256,
    items: isSoftware ? 8 : 24,
    lanes,
  };
}

export const plainShape = ({ adapter }: GpuContext, subgroups: boolean): TileShape => ({
  subgroups,
  threads: 256,
  items: adapter.isSoftware ? 4 : 16,
});

export const eachItem = ({ items }: TileShape, code: (k: number) => string): string =>
  Array.from({ length: items }, (_, k) => code(k)).join("\n  ");

/** A lane's first element; its others follow at distances of `size`. */
export const firstElement = ({ items }: TileShape): string =>
  `tile * tile_size + share * ${items}u * size + lane`;
