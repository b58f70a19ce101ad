import type { Operator, UnaryFunction } from "../../../core/primitives/functions.ts";
import { isLocating } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";

/** What a scan's kernels are made for. */
export interface ScanKernel {
  readonly type: ScalarType;
  readonly operator: Operator;
  readonly exclusive?: boolean;
  /** From the last element to the first. */
  readonly reverse?: boolean;
  /** Applied to each element first; may change it to `type` from `inputType`. */
  readonly transform?: UnaryFunction;
  readonly inputType?: ScalarType;
  /** What begins segments, where there are any: neighbouring keys that differ, or flags that are not 0. */
  readonly segments?: "heads" | ScalarType;
  /** Scans the segments' head flags themselves (as 0 and 1 of `type`), without segments: their numbers. */
  readonly countsHeads?: boolean;
  /** Goes on from what the scan of the elements before left, and leaves the same for those after (carry.ts). */
  readonly continues?: boolean;
}

/** A scan whose results go out once a segment ("run") instead of once an element. */
export interface TileKernel extends ScanKernel {
  /** A run's values combined, the number of its elements, its first value, or nothing besides its key. */
  readonly runs?: "combined" | "lengths" | "first" | "keys";
}

/** A tile's kernels come with vec4 or scalar access, with or without subgroup operations, in several shapes. */
export interface TileShape {
  readonly isVector: boolean;
  readonly subgroups: boolean;
  readonly threads: number;
  /** Rows of four elements a thread. */
  readonly rows: number;
}

/** Elements that a workgroup scans at a time; the same for all shapes of a device. */
export const tileSize = ({ threads, rows }: TileShape): number => threads * rows * 4;

/**
 * How a device scans: 4096 elements a tile, or 1024 on software adapters, whose compilers take seconds for what is
 * unrolled. Few threads with many elements keep more reads under way while look-back waits; but states of runs and
 * positions have three words, and more of them a thread cost more than they hide.
 */
export function tileShape(
  kernel: TileKernel,
  isChained: boolean,
  { isVector, subgroups, isSoftware }: { isVector: boolean; subgroups: boolean; isSoftware: boolean },
): TileShape {
  const isDeep = isChained && !(kernel.runs && locates(kernel));
  const threads = isDeep ? 128 : 256;
  return { isVector, subgroups, threads, rows: (isSoftware ? 256 : 1024) / threads };
}

/** Code for each row of a tile. */
export const eachRow = ({ rows }: TileShape, code: (row: number) => string): string =>
  Array.from({ length: rows }, (_, r) => code(r)).join("\n  ");

/** Whether head flags are what is scanned. */
export const scansHeads = ({ countsHeads, runs }: TileKernel): boolean =>
  countsHeads === true || runs === "first" || runs === "keys";

/** Whether each element's value is read. */
export const readsValues = (kernel: TileKernel): boolean => !scansHeads(kernel) && kernel.runs !== "lengths";

export const isSegmented = (kernel: TileKernel): boolean =>
  kernel.segments !== undefined && !scansHeads(kernel);

/** Whether positions are sought. */
export const locates = ({ operator }: TileKernel): boolean => isLocating(operator);
