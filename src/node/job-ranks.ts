import { systemClock } from "../cluster/clock.ts";
import type { Value } from "../cluster/communicator/communicator.ts";
import { type Job, JobService } from "../cluster/jobs/service.ts";
import type { JobEvents } from "../cluster/session.ts";
import type { EngineDevice } from "../engine/device.ts";
import type { RankEngine } from "../engine/ranks/rank-engine.ts";
import { rankJobs } from "../engine/ranks/rank-jobs.ts";
import type { RankDevice } from "./device-option.ts";
import { takeGpu, takeGpuAmong } from "./gpus/take.ts";
import { openMpi } from "./mpi/open-mpi.ts";
import { openLocalSession } from "./rank/local-session.ts";
import { nodeEngine } from "./rank/node-engine.ts";

/** Ranks that wait for rank 0's jobs, one after the other, until it ends them. They read one file at most, of a path or an address, and write none. */
export interface JobRanks {
  readonly rank: number;
  readonly count: number;
  /** What they talk through, where it is no room: "Open MPI (libmpi.so.40)". */
  readonly library: string | undefined;
  /** On rank 0: runs a job on all ranks. Rejects with what its parts throw. */
  run<P extends Value, R>(job: Job<P, R, RankEngine>, request: P, context: JobEvents): Promise<R>;
  /** What this rank computes with. */
  device(): Promise<EngineDevice>;
  /** On the other ranks: resolves when rank 0 closes. */
  serve(): Promise<void>;
  close(): Promise<void>;
}

export interface JobRanksOptions {
  readonly device: RankDevice;
  readonly file: string | undefined;
  /** The file of the web that they read instead. */
  readonly address?: string;
  log(line: string): void;
}

/** This process and others that it starts on this machine. */
export async function openLocalJobRanks(
  count: number,
  { device, file, address, log }: JobRanksOptions,
): Promise<JobRanks> {
  const { run, engine, close } = await openLocalSession({
    count,
    device,
    data: file,
    ownData: file,
    address,
    log,
  });
  if (device !== "cpu" && count > 1) await takeGpu(0);
  return {
    rank: 0,
    count,
    library: undefined,
    run,
    device: () => engine.device(),
    serve: async () => {},
    close,
  };
}

/** Those that mpirun, mpiexec or srun launched. Throws Refused. */
export async function openMpiJobRanks({ device, file, address, log }: JobRanksOptions): Promise<JobRanks> {
  const { world, local, library, finalize } = await openMpi();
  if (device !== "cpu") await takeGpuAmong(local, log);
  const jobs = await world.dup();
  const engine = nodeEngine({ device, data: file, address });
  const service = new JobService(jobs, rankJobs, engine, systemClock);
  return {
    rank: world.rank,
    count: world.size,
    library,
    run: (job, request, context) => service.run(job, request, context),
    device: () => engine.device(),
    serve: () => service.serve(),
    async close() {
      // The others' service ends with the communicator.
      if (world.rank === 0) jobs.revoke();
      await finalize();
    },
  };
}
