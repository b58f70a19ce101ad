import { buildKdTree, halvedOrder } from "../../algorithms/kd-tree/build.ts";
import { densityAt } from "../../algorithms/kd-tree/density.ts";
import { nodesAbove } from "../../algorithms/kd-tree/nodes-above.ts";
import { nearestPoints, pointsWithin } from "../../algorithms/kd-tree/queries.ts";
import { type AxisRule, axisOf, type KdTree } from "../../core/kd-tree/kd-tree.ts";
import { axesOf, axesPerWord } from "../../gpu/algorithms/kd-tree/axes.ts";
import { type BuildOperands, createKdTreeBuild } from "../../gpu/algorithms/kd-tree/build.ts";
import { createDensity } from "../../gpu/algorithms/kd-tree/queries/density.ts";
import { createNearest } from "../../gpu/algorithms/kd-tree/queries/nearest.ts";
import { createWithin } from "../../gpu/algorithms/kd-tree/queries/within.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32, readU32 } from "../../gpu/device/transfer.ts";
import { Recorder } from "../../gpu/primitives/base/recorder.ts";
import { type PrimitiveStrategy, portableStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync, timeRecorded } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

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
  readonly lone?: number;
  readonly choose?: (gpu: GpuContext) => Promise<PrimitiveStrategy>;
}

/** Random points of a case, what they become, and what runs on them, all of which end with it. */
class TreeBench {
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

/** The fused build of random points. */
function buildCase(
  name: string,
  power: number,
  { axes = "alternating", lone, choose = chooseStrategy }: BuildKind = {},
): BenchCase {
  return {
    name: `kd-tree/${name}`,
    async run({ gpu, isQuick, n = 2 ** (isQuick ? Math.min(power, 12) : power) }) {
      const bench = new TreeBench(gpu, n, axes);
      try {
        const build = await bench.build(await choose(gpu), lone);
        const ms = await timeRecorded(gpu, bench.recorder, build);
        const { peak } = bench;
        return { n, ms, bytes: 28 * n, verified: isTree(await bench.tree(), bench.points), peak };
      } finally {
        bench.release();
      }
    },
  };
}

/** Squares of the distances from a point to the k nearest, as f32 are computed. */
function nearestSquares(points: Float32Array, of: number, k: number): number[] {
  const least = Array<number>(k).fill(Infinity);
  const [x, y, z] = points.subarray(3 * of, 3 * of + 3);
  for (let i = 0; i < points.length; i += 3) {
    const square = (points[i] - x) ** 2 + (points[i + 1] - y) ** 2 + (points[i + 2] - z) ** 2;
    if (!(square < least[k - 1])) continue;
    least[k - 1] = square;
    least.sort((a, b) => a - b);
  }
  return least;
}

/** Queries that are held against all points. */
const checkedQueries = 16;

/** The k nearest of each point, itself among them; the tree is there. */
function nearestCase(name: string, power: number, k: number): BenchCase {
  return {
    name: `kd-tree/${name}`,
    async run({ gpu, isQuick, n = 2 ** (isQuick ? Math.min(power, 12) : power) }) {
      const bench = new TreeBench(gpu, n, "alternating");
      try {
        const { operands, recorder } = bench;
        (await bench.build(await chooseStrategy(gpu)))();
        recorder.submit();
        const nearest = await createNearest(gpu, { dimensions: 3, isWidest: false }, k);
        const [ids, squares] = [bench.make(k * n), bench.make(k * n)];
        const viewOf = ({ buffer }: PooledBuffer) => ({ buffer, offset: 0, length: n });
        const ms = await timeRecorded(gpu, recorder, () =>
          nearest.record(recorder, {
            tree: operands,
            queries: operands.nodes,
            ids: viewOf(ids),
            squares: viewOf(squares),
          }),
        );
        const tree = await bench.tree();
        let verified = true;
        for (let i = 0; i < checkedQueries; i++) {
          const query = Math.floor(((i + 0.5) * n) / checkedQueries);
          const due = nearestSquares(bench.points, tree.ids[query], k);
          const got = await readF32(gpu, squares, query * k, k);
          verified &&= due.every((square, at) => Math.abs(got[at] - square) <= 1e-6 * square);
          const found = await readU32(gpu, ids, query * k, k);
          verified &&= new Set(found).size === k && found[0] === tree.ids[query];
        }
        return { n, ms, bytes: (12 + 8 * k) * n, verified };
      } finally {
        bench.release();
      }
    },
  };
}

/** Local density by 16 others at each point, and the points within a radius that has about 16 of them. */
const densityCase: BenchCase = {
  name: "kd-tree/density16_22",
  async run({ gpu, isQuick, n = 2 ** (isQuick ? 10 : 22) }) {
    const bench = new TreeBench(gpu, n, "alternating");
    try {
      const { operands, recorder } = bench;
      const shape = { dimensions: 3, isWidest: false } as const;
      const strategy = await chooseStrategy(gpu);
      (await bench.build(strategy))();
      const density = await createDensity(gpu, shape, 16);
      const within = await createWithin(gpu, shape, strategy);
      const [densities, counts, starts, ids] = [n, n, n, 40 * n].map((length) => bench.make(length));
      const viewOf = ({ buffer, size }: PooledBuffer) => ({ buffer, offset: 0, length: size / 4 });
      const ms = await timeRecorded(gpu, recorder, () =>
        density.record(recorder, { tree: operands, densities: viewOf(densities) }),
      );
      const radius = Math.cbrt((16 * 0.75) / Math.PI / n);
      within.recordLists(recorder, {
        tree: operands,
        queries: operands.nodes,
        radius,
        counts: viewOf(counts),
        starts: viewOf(starts),
        ids: viewOf(ids),
      });
      recorder.submit();
      const tree = await bench.tree();
      const [got, number, start] = await Promise.all([
        readF32(gpu, densities),
        readU32(gpu, counts),
        readU32(gpu, starts),
      ]);
      let verified = true;
      for (let query = 0; query < checkedQueries; query++) {
        const place = tree.points.subarray(3 * query, 3 * query + 3);
        const dense = densityAt(tree, place, 16);
        verified &&= Math.abs(got[tree.ids[query]] - dense) <= 1e-5 * dense;
        const due = pointsWithin(tree, place, Math.fround(radius)).ids;
        const found = await readU32(gpu, ids, start[query], number[query]);
        verified &&= due.sort().join() === found.sort().join();
      }
      return { n, ms, bytes: 16 * n, verified };
    } finally {
      bench.release();
    }
  },
};

const inOrder = async (gpu: GpuContext): Promise<PrimitiveStrategy> => ({
  subgroups: gpu.device.features.has("subgroups"),
  scan: "reduce-then-scan",
});

/** The places where the tangle field is above 0, and their order in a tree. */
const aboveCase: BenchCase = {
  name: "kd-tree/composed_above",
  async run({ gpu, isQuick, n = isQuick ? 8 : 64 }) {
    const grid = uniformGrid([n, n, n], -3, 6);
    const p = await createGpuPrimitives(gpu);
    const values = p.fromHost("f32", Float32Array.from(tangleField(grid).data, Number));
    const find = () => nodesAbove(p, grid, "node", values, 0);
    const ms = await timeAsync(async () => {
      const { indices, coordinates } = await find();
      const order = await halvedOrder(p, coordinates);
      await p.front(order);
      for (const vector of [indices, order, ...coordinates]) vector.release();
    });
    const { indices, coordinates } = await find();
    const along = await Promise.all(coordinates.map((vector) => p.toHost(vector)));
    const points = Float32Array.from(
      { length: 3 * indices.length },
      (_, i) => along[i % 3][Math.floor(i / 3)],
    );
    const verified = indices.length > 0 && isTree(await buildKdTree(p, points, 3, "widest"), points);
    for (const vector of [values, indices, ...coordinates]) vector.release();
    return { n: n ** 3, ms, bytes: 4 * n ** 3, verified };
  },
};

export const kdTreeCases: readonly BenchCase[] = [
  ...Array.from({ length: 11 }, (_, k) => buildCase(`build_${16 + k}`, 16 + k)),
  buildCase("build_24_lone_512", 24, { lone: 512 }),
  buildCase("build_24_lone_2048", 24, { lone: 2048 }),
  buildCase("build_widest_24", 24, { axes: "widest" }),
  buildCase("build_24_reduce_then_scan", 24, { choose: inOrder }),
  buildCase("build_24_no_subgroups", 24, { choose: async () => portableStrategy }),
  ...[17, 20, 22, 24].map((power) => nearestCase(`knn8_${power}`, power, 8)),
  nearestCase("knn32_22", 22, 32),
  densityCase,
  composedCase,
  aboveCase,
];
