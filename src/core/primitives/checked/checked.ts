import type { PrimitivesBackend } from "../backend.ts";
import type { Primitives } from "../primitives.ts";
import { checkedCompaction } from "./compaction.ts";
import { checkedEach } from "./each.ts";
import { checkedElementwise } from "./elementwise.ts";
import { checkedHistograms } from "./histograms.ts";
import { checkedMovement } from "./movement.ts";
import { checkedReductions } from "./reductions.ts";
import { checkedRuns } from "./runs.ts";
import { checkedScans } from "./scans.ts";
import { checkedSearch } from "./search.ts";
import { checkedSort } from "./sort.ts";
import { checkedVectors } from "./vectors.ts";
import { checkedViews } from "./views.ts";

/**
 * Primitives that check the arguments of every call, then ask a backend for the result: what all implementations refuse
 * alike, in the same words, before anything runs.
 */
export const checked = (name: string, backend: PrimitivesBackend): Primitives => ({
  name,
  ...checkedVectors(backend),
  ...checkedViews(backend),
  ...checkedEach(backend),
  ...checkedElementwise(backend),
  ...checkedReductions(backend),
  ...checkedHistograms(backend),
  ...checkedScans(backend),
  ...checkedRuns(backend),
  ...checkedCompaction(backend),
  ...checkedMovement(backend),
  ...checkedSearch(backend),
  ...checkedSort(backend),
});
