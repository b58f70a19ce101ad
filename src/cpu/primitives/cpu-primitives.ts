import { checked } from "../../core/primitives/checked/checked.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { cpuCompaction } from "./compaction.ts";
import { cpuDataMovement } from "./data-movement.ts";
import { cpuEach } from "./each.ts";
import { cpuElementwise } from "./elementwise.ts";
import { cpuHistograms } from "./histograms.ts";
import { cpuForEach, textRunner } from "./kernel-methods.ts";
import { cpuReductions } from "./reductions.ts";
import { cpuRuns } from "./runs.ts";
import { cpuScans } from "./scans.ts";
import { cpuSearch, cpuSort } from "./sorted.ts";
import { vectorMaker } from "./vector.ts";
import { type Adopting, adopting, cpuVectors } from "./vectors.ts";

type CpuPrimitives = Primitives & Adopting;

/**
 * The primitives over typed arrays: the reference for other implementations, what runs where there is no GPU, and a
 * rank's share there. Vectors with memory hold up to 2³⁰ words; views are made up at each use.
 */
export function createCpuPrimitives(): CpuPrimitives {
  const owner = {};
  const newVector = vectorMaker(owner);
  return {
    ...checked("cpu", {
      ...cpuVectors(owner, newVector),
      ...cpuEach(newVector, textRunner),
      ...cpuForEach(newVector),
      ...cpuElementwise(newVector),
      ...cpuReductions,
      ...cpuHistograms(newVector),
      ...cpuScans(newVector),
      ...cpuRuns(newVector),
      ...cpuCompaction(newVector),
      ...cpuDataMovement(newVector),
      ...cpuSearch(newVector),
      ...cpuSort(newVector),
    }),
    ...adopting(owner),
  };
}
