import { subtreeOrder } from "../../../../cpu/kd-tree/subtree-order.ts";
import { createCpuPrimitives } from "../../../../cpu/primitives/cpu-primitives.ts";
import type { RankCommunicator } from "../../../../distributed/api.ts";
import { createDistributedPrimitives } from "../../../../distributed/distributed-primitives.ts";
import { inProcess } from "../../../../distributed/testing/in-process.ts";
import { buildRankedTree, type RankedTree, type RankPrimitives } from "../ranked-tree.ts";

interface TreeRank {
  readonly communicator: RankCommunicator;
  readonly tree: RankedTree;
}

/** Runs a program on ranks that have built a tree of points, of which rank r had those from shares[r] to shares[r + 1]. */
export async function onTreeRanks<R>(
  size: number,
  points: Float32Array,
  dimensions: number,
  program: (rank: TreeRank) => Promise<R>,
  shares: readonly number[] = evenShares(points.length / dimensions, size),
  onDevice: () => Promise<Pick<RankPrimitives, "local" | "orderOf">> = onCpu,
): Promise<R[]> {
  const others = inProcess(size);
  return Promise.all(
    inProcess(size).map(async (communicator, rank) => {
      const { local, orderOf } = await onDevice();
      const all = createDistributedPrimitives(others[rank], local);
      const own = points.subarray(dimensions * shares[rank], dimensions * shares[rank + 1]);
      const coordinates = Array.from({ length: dimensions }, (_, axis) =>
        Float32Array.from(own.filter((_, k) => k % dimensions === axis)),
      );
      const tree = await buildRankedTree({ rank, size, local, all, orderOf }, coordinates);
      return program({ communicator, tree });
    }),
  );
}

const onCpu = async () => ({ local: createCpuPrimitives(), orderOf: subtreeOrder });

const evenShares = (count: number, size: number) =>
  Array.from({ length: size + 1 }, (_, rank) => Math.floor((count * rank) / size));
