import { takeGpuAmong } from "../../src/node/gpus/take.ts";
import { openMpi } from "../../src/node/mpi/open-mpi.ts";
import { type MeasuringOptions, measureCases, openRankGpu } from "./measure.ts";
import type { Measured } from "./measured.ts";

/** Runs all cases on the ranks that MPI has launched, of which this process is one; only rank 0 hears of rows. */
export async function measureOverMpi(
  options: MeasuringOptions,
  onRow: (row: Measured) => void,
): Promise<void> {
  const { world, local, library, finalize } = await openMpi();
  if (world.rank === 0) console.log(`${world.size === 1 ? "1 rank" : `${world.size} ranks`} over ${library}`);
  if (options.device === "gpu") await takeGpuAmong(local, console.error);
  // What MPI's own collectives send is not known.
  await measureCases(world, await openRankGpu(options), options, undefined, onRow);
  await finalize();
}
