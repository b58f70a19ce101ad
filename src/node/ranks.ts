import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Value } from "../cluster/communicator/communicator.ts";
import type { Job } from "../cluster/jobs/service.ts";
import { formatInvitation } from "../cluster/room/invitation.ts";
import { keyBytes } from "../cluster/room-key.ts";
import { noJob } from "../core/job.ts";
import type * as api from "../embed/ranks.ts";
import { neighborsJob, neighborsRequest } from "../engine/ranks/neighbors-job.ts";
import type { RankEngine } from "../engine/ranks/rank-engine.ts";
import { statisticsJob } from "../engine/ranks/statistics-job.ts";
import { surfaceJob } from "../engine/ranks/surface-job.ts";
import { LocalRanks } from "./rank/local-ranks.ts";
import { nodeEngine } from "./rank/node-engine.ts";
import { type StartedRank, startRank } from "./rank/start-rank.ts";
import { rankedSurfaceRequest } from "./ranked-surface.ts";

/** Starts ranks on this machine. Throws Unreachable where one of them cannot be started. */
export const openRanks: typeof api.openRanks = async (options = {}) => {
  const { count = 2, device = "auto", data = ".", log = () => {} } = options;
  const key = Uint8Array.from(randomBytes(keyBytes));
  const others = new LocalRanks(log);
  let host: StartedRank | undefined;
  const close = async () => {
    await host?.leave();
    others.stop();
  };
  try {
    host = await startRank(
      {
        invitation: { key, at: { tcp: "" } },
        opens: true,
        name: "rank 0",
        gpu: device,
        engine: nodeEngine({ device, data: "/" }),
        launcher: undefined,
        listen: { host: "127.0.0.1" },
        signalling: undefined,
        events: { onJoinRequest: (request) => request.admit() },
        onReachable: () => {},
      },
      noJob.signal,
    );
    const { session, tcp } = host;
    const link = formatInvitation({ key, at: { tcp } });
    others.start(count - 1, link, ["--device", device, "--data", resolve(data)]);
    await others.joined(() => session.communicator?.size === count);
    const start = async <P extends Value, R>(
      job: Job<P, R | undefined, RankEngine>,
      request: P,
      { signal = noJob.signal, onLost }: api.ComputeOptions,
    ): Promise<R> => {
      const restarted = (lost: readonly string[]) => onLost?.(lost.length);
      const found = await session.run(job, request, { ...noJob, signal, restarted });
      if (found === undefined) throw new Error("The first rank has no result.");
      return found;
    };
    const sourceAt = (path: string) => ({ kind: "path", path: resolve(path) }) as const;
    return {
      statistics(path, text, options = {}) {
        const request = { source: sourceAt(path), text, wanted: options.statement ?? null };
        return start(statisticsJob, request, options);
      },
      async surface(path, text, shape, options = {}) {
        return start(surfaceJob, rankedSurfaceRequest(sourceAt(path), text, shape, options), options);
      },
      async neighbors(path, options) {
        return start(neighborsJob, neighborsRequest(sourceAt(path), options), options);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
