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

/** Elements that a workgroup scans at a time, and its threads. */
export const tileSize = 4096;
export const threads = 256;
export const rows = 4;
