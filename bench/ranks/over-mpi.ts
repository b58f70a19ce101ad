import { takeGpuAmong } from "../../src/node/gpus/take.ts";
import { openMpi } from "../../src/node/mpi/open-mpi.ts";
import { type MeasuringEvents, type MeasuringOptions, measureCases, openRankGpu } from "./measure.ts";

/** Runs all cases on the ranks that MPI has launched, of which this process is one; only rank 0 hears of what it measures. */
export async function measureOverMpi(options: MeasuringOptions, events: MeasuringEvents): Promise<void> {
  const { world, local, library, finalize } = await openMpi();
  if (world.rank === 0) console.log(`${world.size === 1 ? "1 rank" : `${world.size} ranks`} over ${library}`);
  if (options.device === "gpu") await takeGpuAmong(local, console.error);
  // What MPI's own collectives send is not known.
  await measureCases(world, await openRankGpu(options), options, undefined, events);
  await finalize();
}
