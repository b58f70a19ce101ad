import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { formatInvitation } from "../cluster/room/invitation.ts";
import { keyBytes } from "../cluster/room-key.ts";
import { noJob } from "../core/job.ts";
import type * as api from "../embed/ranks.ts";
import { statisticsJob } from "../engine/ranks/statistics-job.ts";
import { LocalRanks } from "./rank/local-ranks.ts";
import { nodeEngine } from "./rank/node-engine.ts";
import { type StartedRank, startRank } from "./rank/start-rank.ts";

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
    return {
      async statistics(path, text, { statement, signal = noJob.signal, onLost } = {}) {
        const request = {
          source: { kind: "path", path: resolve(path) },
          text,
          wanted: statement ?? null,
        } as const;
        const restarted = (lost: readonly string[]) => onLost?.(lost.length);
        const found = await session.run(statisticsJob, request, { ...noJob, signal, restarted });
        if (!found) throw new Error("The first rank has no result.");
        return found;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
