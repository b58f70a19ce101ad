import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { add } from "../../cluster/communicator/operators/elements.ts";
import { isEpochOver } from "../../cluster/jobs/outcomes.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { DistributedPrimitives } from "../api.ts";
import { createDistributedPrimitives } from "../distributed-primitives.ts";

/**
 * What ranks compute together by `work`, which is given the communicator of those that are left: all of them begin again where one is
 * lost, until all that are left have the result.
 */
export async function computedByRanks<R>(
  all: Communicator,
  local: Primitives,
  work: (p: DistributedPrimitives, world: Communicator) => Promise<R>,
): Promise<R> {
  let world = all;
  let found: { readonly result: R } | undefined;
  for (;;) {
    try {
      const [finished] = await world.allreduce(Uint32Array.of(found ? 1 : 0), add);
      if (found && finished === world.size) return found.result;
      found = { result: await work(createDistributedPrimitives(await world.dup(), local), world) };
    } catch (error) {
      if (!isEpochOver(error)) throw error;
      world = await world.shrink();
    }
  }
}
