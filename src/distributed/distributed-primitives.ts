import { checked } from "../core/primitives/checked/checked.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { DistributedPrimitives, RankCommunicator } from "./api.ts";
import { distributedCompaction } from "./compaction.ts";
import { distributedEach } from "./each.ts";
import { distributedElementwise } from "./elementwise.ts";
import { distributedHistograms } from "./histograms.ts";
import { distributedLayouts } from "./layout.ts";
import { distributedMovement } from "./movement.ts";
import { distributedReductions } from "./reductions.ts";
import { distributedRuns } from "./runs.ts";
import { distributedScans } from "./scans.ts";
import { distributedSearch } from "./search.ts";
import { distributedSort } from "./sort.ts";
import { Ranks } from "./step.ts";
import { distributedVectors } from "./vectors.ts";

/**
 * The primitives over the ranks of a communicator, each of which computes on its part by primitives of its own, on a CPU or a
 * GPU. Every rank calls the same methods in the same order with the same arguments (`fromParts` aside), and gets the same numbers and errors;
 * calls need not be awaited one by one. The communicator is theirs alone. `now` is the clock that speeds are measured by, in milliseconds.
 */
export function createDistributedPrimitives(
  communicator: RankCommunicator,
  local: Primitives,
  now: () => number = () => performance.now(),
): DistributedPrimitives {
  const ranks = new Ranks(communicator, local, now);
  const vectors = distributedVectors(ranks);
  return {
    ...checked("distributed", {
      ...vectors,
      ...distributedEach(ranks),
      ...distributedElementwise(ranks),
      ...distributedReductions(ranks),
      ...distributedHistograms(ranks),
      ...distributedScans(ranks),
      ...distributedRuns(ranks),
      ...distributedCompaction(ranks),
      ...distributedMovement(ranks),
      ...distributedSearch(ranks),
      ...distributedSort(ranks),
    }),
    ...distributedLayouts(ranks, vectors),
  };
}
