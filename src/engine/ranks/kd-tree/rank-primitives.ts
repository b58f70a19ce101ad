import type { Primitives } from "../../../core/primitives/primitives.ts";
import { subtreeOrder } from "../../../cpu/kd-tree/subtree-order.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import type { RankCommunicator } from "../../../distributed/api.ts";
import { createDistributedPrimitives } from "../../../distributed/distributed-primitives.ts";
import type { EngineDevice } from "../../device.ts";
import type { RankPrimitives } from "./ranked-tree.ts";

/** From so many points of a rank on its tree is built on the GPU, if that is no software: fewer are done before its kernels have compiled. */
const many = 1 << 16;
/** Smaller subtrees are done on the host before their points are on the GPU. */
const manyInSubtree = 4096;

/** Runs `work` with primitives over ranks, of which this one computes on its device where it has many points. */
export async function withRankPrimitives<R>(
  { gpu }: EngineDevice,
  communicator: RankCommunicator,
  points: number,
  work: (primitives: RankPrimitives) => Promise<R>,
): Promise<R> {
  const over = (local: Primitives, orderOf: RankPrimitives["orderOf"]) => {
    const { rank, size } = communicator;
    return work({ rank, size, local, orderOf, all: createDistributedPrimitives(communicator, local) });
  };
  if (!gpu || gpu.adapter.isSoftware || points < many) return over(createCpuPrimitives(), subtreeOrder);
  const [{ createGpuPrimitives }, { subtreeOrderOnGpu }] = await Promise.all([
    import("../../../gpu/primitives/gpu-primitives/gpu-primitives.ts"),
    import("./subtree-order-on-gpu.ts"),
  ]);
  const local = await createGpuPrimitives(gpu);
  try {
    return await over(local, (ranks, rootAxis) =>
      ranks[0].length < manyInSubtree
        ? subtreeOrder(ranks, rootAxis)
        : subtreeOrderOnGpu(gpu, ranks, rootAxis),
    );
  } finally {
    local.dispose();
  }
}
