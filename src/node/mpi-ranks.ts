import { resolve } from "node:path";
import type { Value } from "../cluster/communicator/communicator.ts";
import type { Job } from "../cluster/jobs/service.ts";
import { noJob } from "../core/job.ts";
import type {
  ComputeOptions,
  NeighborsOptions,
  RankedNeighbors,
  RankedShape,
  RankedStatistics,
  RankedSurface,
  SurfaceOptions,
} from "../embed/ranks.ts";
import { neighborsJob, neighborsRequest } from "../engine/ranks/neighbors-job.ts";
import type { RankEngine } from "../engine/ranks/rank-engine.ts";
import { statisticsJob } from "../engine/ranks/statistics-job.ts";
import { surfaceJob } from "../engine/ranks/surface-job.ts";
import type { WantedDevice } from "./device.ts";
import { openMpi } from "./mpi/open-mpi.ts";
import { nodeEngine } from "./rank/node-engine.ts";
import { rankedSurfaceRequest } from "./ranked-surface.ts";

/** The ranks that mpirun, mpiexec or srun launched, of which this process is one: all call the same methods in order. */
export interface MpiRanks {
  readonly rank: number;
  readonly count: number;
  /** "Open MPI (libmpi.so.40)". */
  readonly library: string;
  /** On rank 0; undefined on the others. No rank is ever lost on the way: MPI ends them all. */
  statistics(
    path: string,
    text: string,
    options: Pick<ComputeOptions, "statement" | "onLost">,
  ): Promise<RankedStatistics | undefined>;
  surface(
    path: string,
    text: string,
    shape: RankedShape,
    options: Omit<SurfaceOptions, "signal">,
  ): Promise<RankedSurface | undefined>;
  neighbors(
    path: string,
    options: Pick<NeighborsOptions, "k" | "radius" | "onLost">,
  ): Promise<RankedNeighbors | undefined>;
  /** Waits for all ranks. Not to be called where one of them has failed: its end is the end of them all. */
  close(): Promise<void>;
}

/** Joins them. They read what files the command of the person who launched them names. Throws Refused. */
export async function openMpiRanks(device: WantedDevice): Promise<MpiRanks> {
  const { world, library, finalize } = await openMpi();
  const engine = nodeEngine({ device, data: "/" });
  const run = async <P extends Value, R>(job: Job<P, R, RankEngine>, request: P): Promise<R> => {
    const communicator = await world.dup();
    const result = await job.run({ communicator, engine, context: noJob }, request);
    await communicator.free();
    return result;
  };
  const sourceAt = (path: string) => ({ kind: "path", path: resolve(path) }) as const;
  return {
    rank: world.rank,
    count: world.size,
    library,
    statistics: (path, text, { statement }) =>
      run(statisticsJob, { source: sourceAt(path), text, wanted: statement ?? null }),
    surface: async (path, text, shape, options) =>
      run(surfaceJob, rankedSurfaceRequest(sourceAt(path), text, shape, options)),
    neighbors: async (path, options) => run(neighborsJob, neighborsRequest(sourceAt(path), options)),
    close: finalize,
  };
}
