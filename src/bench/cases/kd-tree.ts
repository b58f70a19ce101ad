import { buildKdTree, halvedOrder } from "../../algorithms/kd-tree/build.ts";
import { nearestPoints, pointsWithin } from "../../algorithms/kd-tree/queries.ts";
import { type AxisRule, axisOf, type KdTree } from "../../core/kd-tree/kd-tree.ts";
import { axesOf } from "../../gpu/algorithms/kd-tree/axes.ts";
import { createKdTreeBuild } from "../../gpu/algorithms/kd-tree/build.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32, readU32 } from "../../gpu/device/transfer.ts";
import { Recorder } from "../../gpu/primitives/base/recorder.ts";
import { type PrimitiveStrategy, portableStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync, timeRecorded } from "../measure.ts";

/** So many numbers in [0, 1), from their positions. */
function randomNumbers(n: number): Float32Array<ArrayBuffer> {
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
 * Whether each node's point is the one that its id tells, and lies where the nodes above it say: of a large tree, every
 * so manyth one.
 */
function isTree(tree: KdTree, points: Float32Array): boolean {
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

/** The build on the primitives of the GPU, with its waits. */
const composedCase: BenchCase = {
  name: "kd-tree/composed",
  async run({ gpu, isQuick, n = 2 ** (isQuick ? 10 : 20) }) {
    const points = randomNumbers(3 * n);
    const p = await createGpuPrimitives(gpu);
    const axes = [0, 1, 2].map((axis) =>
      p.fromHost(
        "f32",
        points.filter((_, k) => k % 3 === axis),
      ),
    );
    const ms = await timeAsync(async () => {
      const order = await halvedOrder(p, axes);
      await p.front(order);
      order.release();
    });
    const tree = await buildKdTree(p, points, 3);
    const place = points.subarray(0, 3);
    const [nearest, ...others] = nearestPoints(tree, place, 8).ids;
    const around = pointsWithin(tree, place, 0).ids;
    const verified = isTree(tree, points) && others.length === 7 && around.includes(nearest);
    for (const axis of axes) axis.release();
    return { n, ms, bytes: 24 * n, verified };
  },
};

interface BuildKind {
  readonly axes?: AxisRule;
  readonly choose?: (gpu: GpuContext) => Promise<PrimitiveStrategy>;
}

/** The fused build of random points. */
function buildCase(
  name: string,
  power: number,
  { axes = "alternating", choose = chooseStrategy }: BuildKind = {},
): BenchCase {
  return {
    name: `kd-tree/${name}`,
    async run({ gpu, isQuick, n = 2 ** (isQuick ? Math.min(power, 12) : power) }) {
      const scope = gpu.scope();
      const recorder = new Recorder(gpu);
      const make = (length: number) => {
        const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
        return scope.allocate("bench: KD-tree", length * 4, usage);
      };
      try {
        const before = gpu.pool.use.current;
        const host = randomNumbers(3 * n);
        const [points, nodes, ids] = [make(3 * n), make(3 * n), make(n)];
        const noted = axes === "widest" ? make(Math.ceil(n / 16)) : undefined;
        const build = await createKdTreeBuild(gpu, { dimensions: 3, axes }, await choose(gpu));
        gpu.device.queue.writeBuffer(points.buffer, 0, host);
        gpu.pool.resetPeak();
        const viewOf = ({ buffer }: PooledBuffer, length = n) => ({ buffer, offset: 0, length });
        const operands = {
          points: viewOf(points),
          nodes: viewOf(nodes),
          ids: viewOf(ids),
          axes: noted && viewOf(noted, Math.ceil(n / 16)),
        };
        const ms = await timeRecorded(gpu, recorder, () => build.record(recorder, operands));
        const peak = gpu.pool.use.peak - before;
        const tree = {
          dimensions: 3,
          points: await readF32(gpu, nodes),
          ids: await readU32(gpu, ids),
        };
        const verified = isTree(noted ? { ...tree, axes: axesOf(await readU32(gpu, noted), n) } : tree, host);
        return { n, ms, bytes: 28 * n, verified, peak };
      } finally {
        recorder.dispose();
        scope.release();
      }
    },
  };
}

const inOrder = async (gpu: GpuContext): Promise<PrimitiveStrategy> => ({
  subgroups: gpu.device.features.has("subgroups"),
  scan: "reduce-then-scan",
});

export const kdTreeCases: readonly BenchCase[] = [
  ...Array.from({ length: 11 }, (_, k) => buildCase(`build_${16 + k}`, 16 + k)),
  buildCase("build_widest_24", 24, { axes: "widest" }),
  buildCase("build_24_reduce_then_scan", 24, { choose: inOrder }),
  buildCase("build_24_no_subgroups", 24, { choose: async () => portableStrategy }),
  composedCase,
];
