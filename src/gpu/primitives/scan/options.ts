import type { BinaryOperator, UnaryFunction } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";

/** What a scan's kernels are made for. */
export interface ScanKernel {
  readonly type: ScalarType;
  readonly operator: BinaryOperator;
  readonly exclusive?: boolean;
  /** From the last element to the first. */
  readonly reverse?: boolean;
  /** Applied to each element first; may change it to `type` from `inputType`. */
  readonly transform?: UnaryFunction;
  readonly inputType?: ScalarType;
  /** How segments are told where there are any: neighbouring keys that differ, or flags that are not 0. */
  readonly segments?: "heads" | ScalarType;
  /** Scans the segments' head flags themselves (as 0 and 1 of `type`), without segments: their numbers. */
  readonly countsHeads?: boolean;
}

/** A scan whose results go out once a segment ("run") instead of once an element. */
export interface TileKernel extends ScanKernel {
  /** A run's values combined, the number of its elements, its first value, or nothing besides its key. */
  readonly runs?: "combined" | "lengths" | "first" | "keys";
}

/** Elements that a workgroup scans at a time, and its threads. */
export const tileSize = 4096;
export const threads = 256;
export const rows = 4;

/** Code for each row of a tile. */
export const eachRow = (code: (row: number) => string): string =>
  Array.from({ length: rows }, (_, r) => code(r)).join("\n  ");

/** Whether head flags are what is scanned. */
export const scansHeads = ({ countsHeads, runs }: TileKernel): boolean =>
  countsHeads === true || runs === "first" || runs === "keys";

/** Whether each element's value is read. */
export const readsValues = (kernel: TileKernel): boolean => !scansHeads(kernel) && kernel.runs !== "lengths";

export const isSegmented = (kernel: TileKernel): boolean =>
  kernel.segments !== undefined && !scansHeads(kernel);
