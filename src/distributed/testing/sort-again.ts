import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { add } from "../../cluster/communicator/operators/elements.ts";
import { isEpochOver } from "../../cluster/jobs/outcomes.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { createDistributedPrimitives } from "../distributed-primitives.ts";

/** Reads the share of the values that a rank of so many has. */
type ReadShare = (rank: number, size: number) => Promise<Float32Array>;

/** All values in order, on every rank that is left. Ranks leave the room afterwards. */
export async function sortedByRanks(
  all: Communicator,
  local: Primitives,
  readShare: ReadShare,
): Promise<Float32Array> {
  let [world, sorted]: [Communicator, Float32Array | undefined] = [all, undefined];
  for (;;) {
    try {
      const [finished] = await world.allreduce(Uint32Array.of(sorted ? 1 : 0), add);
      if (sorted && finished === world.size) return sorted;
      const p = createDistributedPrimitives(await world.dup(), local);
      const values = await p.fromParts("f32", await readShare(world.rank, world.size));
      sorted = await p.toHost(await p.sort(values));
    } catch (error) {
      if (!isEpochOver(error)) throw error;
      world = await world.shrink();
    }
  }
}
