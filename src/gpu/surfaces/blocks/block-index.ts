import type { Triple } from "../../../core/grid.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { blockDims } from "./block-layout.ts";
import { selectionBytes } from "./block-selection.ts";

/**
 * A grid's blocks: the range of values in each, and the list of those that an isovalue cuts with the place of each in it.
 * 3.1 % of a field.
 */
export interface BlockIndex {
  readonly dims: Triple;
  readonly count: number;
  readonly ranges: PooledBuffer;
  readonly selection: PooledBuffer;
  readonly slots: PooledBuffer;
}

export async function createBlockIndex(
  gpu: GpuContext,
  dims: Triple,
  scope: BufferScope,
): Promise<BlockIndex> {
  const blocks = blockDims(dims);
  const count = blocks[0] * blocks[1] * blocks[2];
  const listed = Math.max(count, 1);
  return gpu.checked("The surface's block index", () => ({
    dims: blocks,
    count,
    ranges: scope.allocate("surface: block ranges", 8 * listed, GPUBufferUsage.STORAGE),
    selection: scope.allocate("surface: selected blocks", selectionBytes(count), GPUBufferUsage.STORAGE),
    slots: scope.allocate("surface: places of blocks", 4 * listed, GPUBufferUsage.STORAGE),
  }));
}
