import { checked } from "../core/primitives/checked/checked.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import { distributedCompaction } from "./compaction.ts";
import { distributedEach } from "./each.ts";
import { distributedElementwise } from "./elementwise.ts";
import type { RankCommunicator } from "./exchange.ts";
import { distributedHistograms } from "./histograms.ts";
import { distributedLayouts, type Layouts } from "./layout.ts";
import { distributedMovement } from "./movement.ts";
import { distributedReductions } from "./reductions.ts";
import { distributedRuns } from "./runs.ts";
import { distributedScans } from "./scans.ts";
import { distributedSearch } from "./search.ts";
import { distributedSort } from "./sort.ts";
import { Ranks } from "./step.ts";
import { distributedVectors } from "./vectors.ts";

/** Primitives over ranks. Their vectors are `DistributedVector`. */
export type DistributedPrimitives = Primitives & Layouts;

/**
 * The primitives over the ranks of a communicator, each of which computes on its part by primitives of its own, on a CPU or a
 * GPU. Every rank calls the same methods in the same order with the same arguments (`fromParts` aside), and gets the same numbers and errors;
 * calls need not be awaited one by one. The communicator is theirs alone.
 */
export function createDistributedPrimitives(
  communicator: RankCommunicator,
  local: Primitives,
): DistributedPrimitives {
  const ranks = new Ranks(communicator, local);
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
