import { densityAt } from "../../algorithms/kd-tree/density.ts";
import { pointsWithin } from "../../algorithms/kd-tree/queries.ts";
import type { AxisRule } from "../../core/kd-tree/kd-tree.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32, readU32 } from "../../gpu/device/transfer.ts";
import { createDensity } from "../../gpu/kd-tree/queries/density.ts";
import { createNearest } from "../../gpu/kd-tree/queries/nearest.ts";
import { createWithin } from "../../gpu/kd-tree/queries/within.ts";
import { type PrimitiveStrategy, portableStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import type { BenchCase } from "../case.ts";
import { timeRecorded } from "../measure.ts";
import { isTree, TreeBench } from "./kd-tree-bench.ts";
import { composedTreeCases } from "./kd-tree-composed.ts";

interface BuildKind {
  readonly axes?: AxisRule;
  readonly lone?: number;
  readonly choose?: (gpu: GpuContext) => Promise<PrimitiveStrategy>;
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
  ...composedTreeCases,
];
