import type { Centering, Grid } from "../../../core/grid.ts";
import type { JobContext } from "../../../core/job.ts";
import type { GpuContext } from "../../../gpu/device/context.ts";
import type { PassTimer } from "../../../gpu/device/timing.ts";
import type { GpuField } from "../../../gpu/fields/gpu-field.ts";
import type { GridTables } from "../../../gpu/fields/grid-tables.ts";
import type { Network } from "../network/network.ts";

/** What a network runs on. The caller owns fields and tables and keeps them until the evaluation has returned. */
export interface GpuInputs {
  readonly grid: Grid;
  /** A field of the data set, sent to the GPU when first asked for. */
  field(name: string): Promise<GpuField>;
  tables(centering: Centering): GridTables;
}

export interface KernelReport {
  readonly label: string;
  readonly wgsl: string;
  /** GPU time, where a timer was given and the device has timestamps. */
  readonly ms?: number;
}

export interface GpuEvaluation {
  /** The outputs asked for, by name; the caller releases them. */
  readonly fields: ReadonlyMap<string, GpuField>;
  /** In the order they ran. */
  readonly kernels: readonly KernelReport[];
}

export interface EvaluationOptions {
  /** Measures each kernel; the evaluation then waits for the GPU at its end. */
  readonly timer?: PassTimer;
}

/**
 * How a network becomes kernels and what moves between them (seed 001, § III.C). Strategies share the filters'
 * functions and give the same values; they differ in kernels, transfers and memory.
 */
export interface Strategy {
  readonly name: string;
  /**
   * Computes the named outputs. Submits without waiting for the GPU. Throws TooLarge, OutOfMemory, Cancelled, and
   * releases what it allocated whenever it throws.
   */
  evaluate(
    gpu: GpuContext,
    network: Network,
    inputs: GpuInputs,
    outputs: readonly string[],
    job: JobContext,
    options?: EvaluationOptions,
  ): Promise<GpuEvaluation>;
}
