import type { Centering } from "../../../core/grid.ts";
import type { NodeId } from "../network/network.ts";
import type { ValueType } from "../types.ts";

/** A storage buffer of a kernel, in the order of the binding numbers 1, 2, …; 0 is the uniform `extents`. */
export type Binding =
  | { readonly kind: "tables"; readonly centering: Centering }
  | { readonly kind: "source"; readonly field: string }
  | { readonly kind: "temporary"; readonly node: NodeId }
  | { readonly kind: "store"; readonly store: Store };

/** A value that a kernel writes: an output, or a temporary that later kernels read. */
export interface Store {
  readonly node: NodeId;
  readonly type: ValueType;
  /** Set for outputs. An output that later kernels read serves as their temporary. */
  readonly output: string | undefined;
}

/** A kernel as data: its code and what it binds. */
export interface ExpressionKernel {
  readonly label: string;
  readonly code: string;
  readonly centering: Centering;
  /**
   * "flat": each thread computes a few elements. "tiled": a workgroup per tile of x and y and per run of z planes, which each
   * thread walks along.
   */
  readonly shape: "flat" | "tiled";
  readonly bindings: readonly Binding[];
  /**
   * What the code takes from the data but the arrays: values of reductions, offsets of fields. The members of the uniform
   * `parameters`, which is bound after the storage buffers where there are any.
   */
  readonly parameters: readonly number[];
}

/** A flat kernel's threads in a workgroup, and the elements that a workgroup computes: several loads in flight a thread. */
export const flatThreads = 256;
export const flatElements = 4 * flatThreads;
