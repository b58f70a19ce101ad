// What the bench of ranks measures. One rank alone is the single GPU; “manual” is each rank with its part alone, and “distributed”
// one long vector over all of them.
import type { Triple } from "../../src/core/grid.ts";
import { grayScott } from "../../src/core/lattice/gray-scott/gray-scott.ts";
import { ising } from "../../src/core/lattice/ising/ising.ts";
import type { LatticeModel } from "../../src/core/lattice/model.ts";
import { distributedIsosurface, manualIsosurface } from "./cases/composed-isosurface.ts";
import { distributedQ, manualQ } from "./cases/composed-q.ts";
import { fusedIsosurface } from "./cases/fused-isosurface.ts";
import { fusedQ } from "./cases/fused-q.ts";
import { composedTree, oneTree, treeForEach } from "./cases/kd-trees.ts";
import { latticeSweep } from "./cases/lattices.ts";
import { barrier, exchange, halo, wordOfGpu } from "./cases/messages.ts";
import type { BenchRank, RankCase, Timed } from "./cases/rank-case.ts";
import { distributedWords, manualWords, scan, sort } from "./cases/words.ts";

/** A case that measures one thing. */
const single = (
  name: string,
  dimensions: RankCase["dimensions"],
  sizes: readonly number[],
  run: (rank: BenchRank, n: number) => Promise<Timed>,
): RankCase<BenchRank> => ({ name, dimensions, sizes, run: async (rank, n) => ({ "": await run(rank, n) }) });

const cube = (n: number): Triple => [n, n, n];
/** As many layers of cells for each rank. */
const column = ({ communicator: { size } }: BenchRank, n: number): Triple => [n, n, (n - 1) * size + 1];

/** A square of sites for each rank, beside one another, or for all of them. */
const lattice = (name: string, model: LatticeModel, sizes: readonly number[]): RankCase<BenchRank>[] => [
  {
    name: `${name}, weak`,
    dimensions: 2,
    sizes,
    run: (rank, n) => latticeSweep(rank, model, [n, n * rank.communicator.size]),
  },
  { name: `${name}, strong`, dimensions: 2, sizes, run: (rank, n) => latticeSweep(rank, model, [n, n]) },
];

/** The largest of each is what H100s hold in some tens of seconds; ranks of one vector share at most 2³¹ words. */
const composedEdges = [128, 256, 512, 1024];
const qEdges = [128, 256, 384, 512];
const scanned = [2 ** 20, 2 ** 24, 2 ** 27, 2 ** 28];
const sorted = [2 ** 16, 2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28];
const points = [2 ** 17, 2 ** 20, 2 ** 23, 2 ** 26];

/** On GPUs alone. */
const gpuCases: readonly RankCase[] = [
  single("word, GPU", 1, [1], wordOfGpu),
  single("halo, GPU", 1, [1, 2 ** 14, 2 ** 18, 2 ** 20], halo),
  {
    name: "isosurface, fused, strong",
    dimensions: 3,
    sizes: [256, 512, 768, 1024, 1536],
    run: (rank, n) => fusedIsosurface(rank, cube(n)),
  },
  {
    name: "isosurface, fused, weak",
    dimensions: 3,
    sizes: [256, 512, 1024],
    run: (rank, n) => fusedIsosurface(rank, column(rank, n)),
  },
  {
    name: "Q-criterion, fused, strong",
    dimensions: 3,
    sizes: [256, 384, 512, 1024],
    run: (rank, n) => fusedQ(rank, cube(n)),
  },
  {
    name: "Q-criterion, fused, weak",
    dimensions: 3,
    sizes: [256, 384, 512],
    run: (rank, n) => fusedQ(rank, column(rank, n)),
  },
];

/** On GPUs, or on a CPU core for each rank. */
const anyCases: readonly RankCase<BenchRank>[] = [
  single("barrier", 1, [1], barrier),
  single("exchange, host", 1, [1, 2 ** 10, 2 ** 18], exchange),
  single("isosurface, composed, manual", 3, composedEdges, manualIsosurface),
  single("isosurface, composed, distributed", 3, composedEdges, (rank, n) =>
    distributedIsosurface(rank, n, true),
  ),
  single("isosurface, composed, further isovalue", 3, composedEdges, (rank, n) =>
    distributedIsosurface(rank, n, false),
  ),
  single("Q-criterion, composed, manual", 3, qEdges, manualQ),
  single("Q-criterion, composed, distributed", 3, qEdges, (rank, n) => distributedQ(rank, n, true)),
  single("Q-criterion, composed, kept halos", 3, qEdges, (rank, n) => distributedQ(rank, n, false)),
  single("inclusive scan", 1, scanned, distributedWords(scan)),
  single("inclusive scan, manual", 1, scanned, manualWords(scan)),
  single("sort", 1, sorted, distributedWords(sort)),
  single("sort, manual", 1, sorted, manualWords(sort)),
  single("KD-tree, composed", 1, [2 ** 14, 2 ** 17], composedTree),
  single("KD-tree, subtrees fused", 1, points, oneTree),
  single("KD-tree, manual", 1, points, treeForEach),
  ...lattice("Ising sweep", ising, [16384]),
  ...lattice("Gray–Scott sweep", grayScott, [4096]),
];

const given = <Rank extends BenchRank>(rank: Rank, cases: readonly RankCase<Rank>[]) =>
  cases.map(({ run, ...one }) => ({ ...one, run: (n: number) => run(rank, n) }));

/** What a rank measures on its device; the same for all ranks with such a device. */
export function casesOf(rank: BenchRank) {
  const { gpu } = rank;
  return [...(gpu ? given({ ...rank, gpu }, gpuCases) : []), ...given(rank, anyCases)];
}
