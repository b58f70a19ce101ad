import type { KdTree } from "../../../../core/kd-tree/kd-tree.ts";
import type { View } from "../../../compute/view.ts";
import type { GpuContext } from "../../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../device/pool.ts";
import { axesPerWord } from "../../axes.ts";
import type { TreeShape } from "../traversal.ts";
import type { TreeViews } from "../tree-views.ts";

const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const lead = 7;

/** A tree of the host on the GPU, with places for queries and what they find. */
export class TestTree {
  readonly shape: TreeShape;
  readonly views: TreeViews;
  readonly #gpu: GpuContext;
  readonly #scope: BufferScope;

  constructor(gpu: GpuContext, { dimensions, points, ids, axes }: KdTree) {
    this.#gpu = gpu;
    this.#scope = gpu.scope();
    this.shape = { dimensions: dimensions === 2 ? 2 : 3, isWidest: axes !== undefined };
    const packed = new Uint32Array(Math.ceil(ids.length / axesPerWord));
    axes?.forEach((axis, node) => {
      packed[Math.floor(node / axesPerWord)] |= axis << (2 * (node % axesPerWord));
    });
    this.views = {
      nodes: this.view(new Float32Array(points), dimensions),
      ids: this.view(new Uint32Array(ids)),
      axes: axes && this.view(packed),
    };
  }

  view(data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, words = 1): View {
    const { pooled, view } = this.room(data.length / words, words);
    this.#gpu.device.queue.writeBuffer(pooled.buffer, lead * 4, data);
    return view;
  }

  room(length: number, words = 1): { readonly pooled: PooledBuffer; readonly view: View } {
    const pooled = this.#scope.allocate("KD-tree test", (lead + length * words) * 4, usage);
    return { pooled, view: { buffer: pooled.buffer, offset: lead, length } };
  }

  release(): void {
    this.#scope.release();
  }
}
