import { buildKdTree } from "../../algorithms/kd-tree/build.ts";
import { pointDensity } from "../../algorithms/kd-tree/density.ts";
import { cancelled } from "../../core/errors.ts";
import type { Bounds, Triple } from "../../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../../core/job.ts";
import type { KdTree } from "../../core/kd-tree/kd-tree.ts";
import type { PointSet } from "../../core/point-set.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { View } from "../../gpu/compute/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32, readU32, sendF32 } from "../../gpu/device/transfer.ts";
import { createKdTreeBuild } from "../../gpu/kd-tree/build.ts";
import { createDensity } from "../../gpu/kd-tree/queries/density.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";

/** Number of neighbours for the local density. */
const densityNeighbours = 16;

/** Above this number of points, trees are built on the GPU: fewer are done before its kernels have compiled. */
const many = 4096;
/** The same for software adapters, which compile for half a minute. */
const manyInSoftware = 1 << 17;

/**
 * The points of a set on the GPU, relative to the middle of their bounds. After release, pending and later requests
 * throw Cancelled.
 */
export class GpuPoints {
  readonly count: number;
  readonly center: Triple;
  /** 12 bytes per point, f32. */
  readonly positions: PooledBuffer;
  /** One f32 per point, for the scalar that colours them. */
  readonly scalars: PooledBuffer;
  readonly set: PointSet;
  readonly #gpu: GpuContext;
  readonly #scope: BufferScope;
  #isReleased = false;
  #tree: Promise<KdTree> | undefined;

  private constructor(gpu: GpuContext, set: PointSet, center: Triple, scope: BufferScope) {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const usage = STORAGE | COPY_SRC | COPY_DST;
    this.count = set.positions.length / 3;
    this.center = center;
    this.positions = scope.allocate("points: positions", 12 * this.count, usage);
    this.scalars = scope.allocate("points: scalars", 4 * this.count, usage);
    this.#gpu = gpu;
    this.set = set;
    this.#scope = scope;
  }

  /** Throws TooLarge, OutOfMemory, Cancelled. */
  static async send(gpu: GpuContext, set: PointSet, bounds: Bounds, job: JobContext): Promise<GpuPoints> {
    const middle = (axis: number) => 0.5 * bounds[2 * axis] + 0.5 * bounds[2 * axis + 1];
    const center: Triple = [middle(0), middle(1), middle(2)];
    const scope = gpu.scope();
    try {
      const points = await gpu.checked("The points", () => new GpuPoints(gpu, set, center, scope));
      const { positions } = set;
      await sendF32(
        gpu,
        points.positions.buffer,
        0,
        positions.length,
        (part, first) => {
          for (let i = 0; i < part.length; i++) part[i] = positions[first + i] - center[(first + i) % 3];
        },
        async (sent) => {
          job.progress(sent / positions.length, "Sending the points to the GPU");
          await yieldToEventLoop();
          checkCancelled(job, "Sending the points to the GPU");
        },
      );
      return points;
    } catch (error) {
      scope.release();
      throw error;
    }
  }

  /** Fills the scalars with the local density around each point. Throws TooLarge, OutOfMemory, Cancelled. */
  async takeDensities(job: JobContext): Promise<void> {
    if (this.#isForHost) {
      const tree = await this.tree();
      this.#checkHeld();
      checkCancelled(job, "The density of points");
      const densities = pointDensity(tree, densityNeighbours);
      this.#gpu.device.queue.writeBuffer(this.scalars.buffer, 0, densities);
      return;
    }
    const shape = { dimensions: this.set.dimensions, isWidest: false };
    const density = await createDensity(this.#gpu, shape, densityNeighbours);
    await this.#withTree(async (recorder, tree) => {
      checkCancelled(job, "The density of points");
      density.record(recorder, { tree, densities: viewOf(this.scalars, this.count) });
      recorder.submit();
    });
  }

  /** A tree of the points in host memory, made on first request; relative to the centre. */
  tree(): Promise<KdTree> {
    this.#tree ??= this.#readTree();
    this.#tree.catch(() => {
      this.#tree = undefined;
    });
    return this.#tree;
  }

  release(): void {
    this.#isReleased = true;
    this.#scope.release();
  }

  get #isForHost(): boolean {
    return this.count <= (this.#gpu.adapter.isSoftware ? manyInSoftware : many);
  }

  #checkHeld(): void {
    if (this.#isReleased) throw cancelled("The points' tree");
  }

  async #readTree(): Promise<KdTree> {
    const { dimensions } = this.set;
    if (this.#isForHost) {
      const tree = await buildKdTree(createCpuPrimitives(), this.#coordinates(), dimensions);
      this.#checkHeld();
      return tree;
    }
    return this.#withTree(async (recorder, _, { nodes, ids }) => {
      recorder.submit();
      const [points, order] = await Promise.all([readF32(this.#gpu, nodes), readU32(this.#gpu, ids)]);
      return { dimensions, points, ids: order };
    });
  }

  /** Runs `work` when the build of the tree has been recorded; the tree's memory is freed afterwards. */
  async #withTree<T>(
    work: (
      recorder: Recorder,
      tree: { readonly nodes: View; readonly ids: View },
      buffers: { readonly nodes: PooledBuffer; readonly ids: PooledBuffer },
    ) => Promise<T>,
  ): Promise<T> {
    this.#checkHeld();
    const { dimensions } = this.set;
    const { count } = this;
    const build = await createKdTreeBuild(this.#gpu, { dimensions }, await chooseStrategy(this.#gpu));
    const scope = this.#gpu.scope();
    const recorder = new Recorder(this.#gpu);
    try {
      const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
      const buffers = await this.#gpu.checked("The points' tree", () => {
        const allocate = (label: string, words: number) =>
          scope.allocate(`points: ${label}`, 4 * words, STORAGE | COPY_SRC | COPY_DST);
        return {
          nodes: allocate("nodes", dimensions * count),
          ids: allocate("order", count),
          flat: dimensions === 2 ? allocate("flat", 2 * count) : undefined,
        };
      });
      // Nothing is awaited between here and the submission by `work`.
      this.#checkHeld();
      const { nodes, ids, flat } = buffers;
      if (flat) this.#gpu.device.queue.writeBuffer(flat.buffer, 0, this.#coordinates());
      const tree = { nodes: viewOf(nodes, count), ids: viewOf(ids, count) };
      build.record(recorder, { points: viewOf(flat ?? this.positions, count), ...tree });
      return await work(recorder, tree, buffers);
    } finally {
      recorder.dispose();
      scope.release();
    }
  }

  /** Coordinates relative to the centre, as many per point as the set has dimensions. */
  #coordinates(): Float32Array<ArrayBuffer> {
    const { positions, dimensions } = this.set;
    const coordinates = new Float32Array(dimensions * this.count);
    for (let i = 0; i < this.count; i++) {
      for (let axis = 0; axis < dimensions; axis++)
        coordinates[dimensions * i + axis] = positions[3 * i + axis] - this.center[axis];
    }
    return coordinates;
  }
}

const viewOf = ({ buffer }: PooledBuffer, length: number): View => ({ buffer, offset: 0, length });
