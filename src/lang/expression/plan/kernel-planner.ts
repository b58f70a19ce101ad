import type { Centering } from "../../../core/grid.ts";
import type { Network, NetworkOutput } from "../network/network.ts";
import type { ExpressionKernel } from "./kernel.ts";

/** What a plan must know of a field. */
export interface FieldLayout {
  readonly components: number;
  /** What is added to each stored component to give its value. */
  readonly offsets: readonly number[];
}

/** A field's layout with its centring. */
export interface PlacedLayout extends FieldLayout {
  readonly centering: Centering;
}

/** The layout of a field whose offsets are not known yet, or are none: kernels with others bind the same arrays. */
export const withoutOffsets = ({ components, centering }: Omit<PlacedLayout, "offsets">): PlacedLayout => ({
  components,
  centering,
  offsets: new Array<number>(components).fill(0),
});

export interface KernelLimits {
  /** Storage buffers that one kernel may bind. */
  readonly storageBuffers: number;
}

/**
 * How a network becomes kernels (seed 001, § III.C). All ways share the filters' functions and give the same values; they
 * differ in how many kernels there are and what passes through memory between them.
 */
export interface KernelPlanner {
  readonly name: string;
  /**
   * The kernels of these outputs, in an order in which each finds the temporaries that it reads. Throws TooLarge
   * where a kernel cannot do with the buffers allowed.
   */
  plan(
    network: Network,
    outputs: readonly NetworkOutput[],
    layout: (field: string) => FieldLayout,
    limits: KernelLimits,
  ): readonly ExpressionKernel[];
}
