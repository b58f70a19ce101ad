import { type AxisRule, axisOf, type KdTree } from "../../core/kd-tree/kd-tree.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32, readU32 } from "../../gpu/device/transfer.ts";
import { axesOf, axesPerWord } from "../../gpu/kd-tree/axes.ts";
import { type BuildOperands, createKdTreeBuild } from "../../gpu/kd-tree/build.ts";
import type { PrimitiveStrategy } from "../../gpu/primitives/base/strategy.ts";

/** So many numbers in [0, 1), from their positions. */
export function randomNumbers(n: number): Float32Array<ArrayBuffer> {
  const words = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    let mixed = Math.imul(i, 0x9e3779b9);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    words[i] = ((mixed ^ (mixed >>> 15)) >>> 8) / 2 ** 24;
  }
  return words;
}

/**
 * Whether each node's point is the one that its id names, and lies where the nodes above it say: of a large tree, every
 * so manyth one.
 */
export function isTree(tree: KdTree, points: Float32Array): boolean {
  const { dimensions, ids } = tree;
  const seen = new Uint8Array(ids.length);
  const step = Math.ceil(ids.length / 2 ** 22);
  for (let node = 0; node < ids.length; node++) {
    seen[ids[node]] = 1;
    if (node % step !== 0) continue;
    for (let axis = 0; axis < dimensions; axis++) {
      if (tree.points[node * dimensions + axis] !== points[ids[node] * dimensions + axis]) return false;
    }
    // Every node above sets a bound.
    for (let below = node; below > 0; ) {
      const above = (below - 1) >> 1;
      const axis = axisOf(tree, above);
      const beyond = tree.points[node * dimensions + axis] - tree.points[above * dimensions + axis];
      if (below % 2 === 1 ? beyond > 0 : beyond < 0) return false;
      below = above;
    }
  }
  return !seen.includes(0);
}

/** Random points of a case, what they become, and what runs on them, all of which end with it. */
export class TreeBench {
  readonly gpu: GpuContext;
  readonly recorder: Recorder;
  readonly points: Float32Array<ArrayBuffer>;
  readonly operands: BuildOperands;
  readonly #scope: BufferScope;
  readonly #axes: AxisRule;
  readonly #before: number;
  readonly #pooled: readonly PooledBuffer[];

  constructor(gpu: GpuContext, n: number, axes: AxisRule) {
    this.gpu = gpu;
    this.#axes = axes;
    this.recorder = new Recorder(gpu);
    this.#scope = gpu.scope();
    this.#before = gpu.pool.use.current;
    this.points = randomNumbers(3 * n);
    const words = Math.ceil(n / axesPerWord);
    this.#pooled = [3 * n, 3 * n, n, words]
      .slice(0, axes === "widest" ? 4 : 3)
      .map((length) => this.make(length));
    const [points, nodes, ids, noted] = this.#pooled.map(({ buffer }, k) => {
      return { buffer, offset: 0, length: k < 3 ? n : words };
    });
    gpu.device.queue.writeBuffer(points.buffer, 0, this.points);
    this.operands = { points, nodes, ids, axes: noted };
    gpu.pool.resetPeak();
  }

  make(length: number): PooledBuffer {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    return this.#scope.allocate("bench: KD-tree", length * 4, usage);
  }

  get peak(): number {
    return this.gpu.pool.use.peak - this.#before;
  }

  async build(strategy: PrimitiveStrategy, lone?: number): Promise<() => void> {
    const build = await createKdTreeBuild(this.gpu, { dimensions: 3, axes: this.#axes, lone }, strategy);
    return () => build.record(this.recorder, this.operands);
  }

  async tree(): Promise<KdTree> {
    const [, nodes, ids, noted] = this.#pooled;
    const tree = { dimensions: 3, points: await readF32(this.gpu, nodes), ids: await readU32(this.gpu, ids) };
    return noted ? { ...tree, axes: axesOf(await readU32(this.gpu, noted), tree.ids.length) } : tree;
  }

  release(): void {
    this.recorder.dispose();
    this.#scope.release();
  }
}
