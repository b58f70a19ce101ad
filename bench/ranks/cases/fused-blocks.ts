// What fused kernels read: a rank's layers of a grid on its GPU, in as many blocks as bindings require.
import type { Field } from "../../../src/core/field.ts";
import type { UniformGrid } from "../../../src/core/grid.ts";
import { noJob } from "../../../src/core/job.ts";
import { readF32 } from "../../../src/gpu/device/transfer.ts";
import type { GpuField } from "../../../src/gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../../../src/gpu/fields/grid-tables.ts";
import { uploadField } from "../../../src/gpu/fields/upload.ts";
import { partOf } from "../inputs.ts";
import { type LayerBlock, layerBlocks, layersOf, type Span } from "./layers.ts";
import type { GpuRank } from "./rank-case.ts";

/** Planes beyond those that a layer of cells touches: gradients at its nodes read one. */
const ghosts = 1;

export interface FieldBlock extends LayerBlock {
  readonly grid: UniformGrid;
  readonly field: GpuField;
  readonly tables: GridTables;
}

/** The sampled field on a rank's GPU. Whoever asks for it releases it. */
export class RankField {
  readonly blocks: readonly FieldBlock[];
  readonly #rank: GpuRank;
  readonly #nodes: number;

  private constructor(rank: GpuRank, nodes: number, blocks: readonly FieldBlock[]) {
    this.#rank = rank;
    this.#nodes = nodes;
    this.blocks = blocks;
  }

  /** Each rank samples its own layers of the whole grid, in blocks of at most so many bytes. Throws OutOfMemory. */
  static async sample(
    rank: GpuRank,
    whole: UniformGrid,
    components: number,
    sampled: (grid: UniformGrid) => Field,
    maxBytes = rank.gpu.pool.largestBinding,
  ): Promise<RankField> {
    const { gpu, communicator } = rank;
    const [nx, ny, nz] = whole.dims;
    const maxPlanes = Math.floor(maxBytes / (4 * components * nx * ny));
    const blocks: FieldBlock[] = [];
    const made = new RankField(rank, nz, blocks);
    try {
      for (const block of layerBlocks(communicator, nz, ghosts, maxPlanes)) {
        const grid = partOf(whole, block.planes);
        const field = await uploadField(gpu, grid, sampled(grid), noJob);
        blocks.push({ ...block, grid, field, tables: createGridTables(gpu, grid, "node") });
      }
    } catch (error) {
      made.release();
      throw error;
    }
    return made;
  }

  /** Sends its neighbours the planes of their ghosts, and gets its own: through the hosts. A collective call. */
  async exchangeGhosts(): Promise<void> {
    const { communicator } = this.#rank;
    const { rank, size } = communicator;
    const [first, end] = layersOf(communicator, this.#nodes);
    // The plane between two ranks belongs to the upper one.
    const below: Neighbour = {
      rank: rank - 1,
      gives: [first, first + 1 + ghosts],
      gets: [first - ghosts, first],
    };
    const above: Neighbour = { rank: rank + 1, gives: [end - ghosts, end], gets: [end, end + 1 + ghosts] };
    const exchanges = [];
    if (rank > 0) exchanges.push(this.#exchange(this.blocks[0], below));
    if (rank + 1 < size) exchanges.push(this.#exchange(this.blocks[this.blocks.length - 1], above));
    await Promise.all(exchanges);
  }

  release(): void {
    for (const { field, tables } of this.blocks) {
      field.buffer.release();
      tables.buffer.release();
    }
  }

  async #exchange({ field, planes }: FieldBlock, { rank, gives, gets }: Neighbour): Promise<void> {
    const { gpu, communicator } = this.#rank;
    const wordsIn = (count: number) => count * field.dims[0] * field.dims[1];
    const start = (component: number, plane: number) => component * field.count + wordsIn(plane - planes[0]);
    const [given, got] = [gives, gets].map(([from, end]) => wordsIn(Math.min(end, planes[1]) - from));
    const sent = new Float32Array(field.components * given);
    for (let c = 0; c < field.components; c++)
      sent.set(await readF32(gpu, field.buffer, start(c, gives[0]), given), c * given);
    const { data } = await communicator.sendrecv<Float32Array<ArrayBuffer>>(rank, sent, rank);
    for (let c = 0; c < field.components; c++)
      gpu.device.queue.writeBuffer(field.buffer.buffer, 4 * start(c, gets[0]), data, c * got, got);
  }
}

/** A neighbouring rank, with the planes that it gets and those that it gives. */
interface Neighbour {
  readonly rank: number;
  readonly gives: Span;
  readonly gets: Span;
}
