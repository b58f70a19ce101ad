import type { BoundKernel } from "../../compute/dispatch.ts";
import type { GpuContext } from "../../device/context.ts";
import { emitGroups } from "../emit-groups.ts";
import { selectThreads } from "./block-selection.ts";

/** Kernels of a surface that is made block by block. */
export interface BlockKernels {
  /** Empties the selection and the state. */
  readonly reset: BoundKernel;
  /** Selects blocks, by `select_blocks`. */
  readonly select: BoundKernel;
  /** Takes one selected block at a time. */
  readonly emit: BoundKernel;
}

/** Records one extraction over so many blocks. */
export function recordBlocks(
  gpu: GpuContext,
  pass: GPUComputePassEncoder,
  { reset, select, emit }: BlockKernels,
  blockCount: number,
): void {
  reset.dispatch(pass, 1);
  select.dispatch(pass, Math.ceil(blockCount / selectThreads));
  emit.dispatch(pass, emitGroups(gpu, blockCount));
}
