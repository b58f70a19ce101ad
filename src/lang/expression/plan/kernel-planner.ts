import type { Centering, Grid } from "../../../core/grid.ts";
import type { GpuField } from "../../../gpu/fields/gpu-field.ts";
import type { GridTables } from "../../../gpu/fields/grid-tables.ts";
import type { Network, NetworkOutput } from "../network/network.ts";
import type { Kernel } from "./kernel.ts";

/** What a network runs on. The caller owns fields and tables and keeps them until the evaluation has returned. */
export interface GpuInputs {
  readonly grid: Grid;
  /** A field of the data set, sent to the GPU when first asked for. */
  field(name: string): Promise<GpuField>;
  tables(centering: Centering): GridTables;
}

/** What a plan must know of a field. */
export interface FieldLayout {
  readonly components: number;
  /** What is added to each stored component to give its value. */
  readonly offsets: readonly number[];
}

export interface KernelLimits {
  /** Storage buffers that one kernel may bind. */
  readonly storageBuffers: number;
}

/**
 * How a network becomes kernels (seed 001, § III.C). Strategies share the filters' functions and give the same values;
 * they differ in how many kernels there are and what passes through memory between them.
 */
export interface Strategy {
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
  ): readonly Kernel[];
}
