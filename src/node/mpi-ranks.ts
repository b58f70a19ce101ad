import { noJob } from "../core/job.ts";
import type { WantedDevice } from "./device-option.ts";
import { takeGpuAmong } from "./gpus/take.ts";
import { openMpi } from "./mpi/open-mpi.ts";
import { nodeEngine } from "./rank/node-engine.ts";
import { type RankedCalls, rankedCalls, warning } from "./ranked-calls.ts";

/**
 * The ranks that mpirun, mpiexec or srun launched, of which this process is one: all call the same methods in order. No rank
 * is ever lost on the way, and none of the calls can be cancelled: MPI ends them all.
 */
export interface MpiRanks extends RankedCalls {
  readonly rank: number;
  readonly count: number;
  /** "Open MPI (libmpi.so.40)". */
  readonly library: string;
  /** Waits for all ranks. Not to be called where one of them has failed: its end is the end of them all. */
  close(): Promise<void>;
}

/** Joins them, each on its own GPU where it can be. They read and write what files the command of the person who launched them names. Throws Refused. */
export async function openMpiRanks(device: WantedDevice, log: (line: string) => void): Promise<MpiRanks> {
  const { world, local, library, finalize } = await openMpi();
  if (device !== "cpu") await takeGpuAmong(local, log);
  const engine = nodeEngine({ device, data: "/", out: "/" });
  const calls = rankedCalls(async (job, request, { onWarning, onProgress = () => {} }) => {
    const communicator = await world.dup();
    const context = world.rank === 0 ? { ...noJob, progress: onProgress, warn: warning(onWarning) } : noJob;
    const result = await job.run({ communicator, engine, context }, request);
    await communicator.free();
    return result;
  }, world.size);
  return { ...calls, rank: world.rank, count: world.size, library, close: finalize };
}
