import { halvedOrder } from "../../../src/algorithms/kd-tree/build.ts";
import type { Communicator } from "../../../src/cluster/communicator/communicator.ts";
import type { Vector } from "../../../src/core/primitives/vector.ts";
import { subtreeOrder } from "../../../src/cpu/kd-tree/subtree-order.ts";
import { createDistributedPrimitives } from "../../../src/distributed/distributed-primitives.ts";
import { buildRankedTree } from "../../../src/engine/ranks/kd-tree/ranked-tree.ts";
import { subtreeOrderOnGpu } from "../../../src/engine/ranks/kd-tree/subtree-order-on-gpu.ts";
import { coordinatesOf } from "../inputs.ts";
import type { BenchRank, Timed } from "./rank-case.ts";
import { together } from "./timing.ts";
import { withAllRanks, withPrimitives } from "./with-primitives.ts";

/** The order of points in a KD-tree by the composed algorithm. */
export const composedTree = (given: BenchRank, n: number): Promise<Timed> =>
  withAllRanks(given, async (p, rank) => {
    const coordinates: Vector<"f32">[] = [];
    for (const own of coordinatesOf(rank.communicator, n)) coordinates.push(await p.fromParts("f32", own));
    return together(rank, () => halvedOrder(p, coordinates));
  });

/** One tree, of which the ranks build the upper levels together, and each its subtrees: from and to the host's memory. */
export const oneTree = async (given: BenchRank, n: number): Promise<Timed> =>
  timeTrees(given, n, await given.communicator.dup());

/** A tree for each rank, of its own points. */
export const treeForEach = async (given: BenchRank, n: number): Promise<Timed> => {
  const { communicator } = given;
  const alone = await communicator.split(communicator.rank);
  // Whoever gives a colour gets a communicator.
  return timeTrees(given, n, alone as Communicator);
};

/** The ranks of `builders` build a tree of their points. */
const timeTrees = (given: BenchRank, n: number, builders: Communicator): Promise<Timed> =>
  withPrimitives(given, (local, rank) => {
    const all = createDistributedPrimitives(builders, local);
    const coordinates = coordinatesOf(rank.communicator, n);
    const { gpu } = rank;
    const orderOf = (ranks: readonly Uint32Array[], rootAxis: number) =>
      gpu ? subtreeOrderOnGpu(gpu, ranks, rootAxis) : subtreeOrder(ranks, rootAxis);
    return together(rank, async () => {
      await buildRankedTree({ rank: builders.rank, size: builders.size, local, all, orderOf }, coordinates);
      return undefined;
    });
  });
