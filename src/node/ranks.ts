import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { formatInvitation } from "../cluster/room/invitation.ts";
import { keyBytes } from "../cluster/room-key.ts";
import { noJob } from "../core/job.ts";
import type * as api from "../embed/ranks.ts";
import { LocalRanks } from "./rank/local-ranks.ts";
import { nodeEngine } from "./rank/node-engine.ts";
import { type StartedRank, startRank } from "./rank/start-rank.ts";
import { rankedCalls } from "./ranked-calls.ts";

/** Starts ranks on this machine. Throws Unreachable where one of them cannot be started. */
export const openRanks: typeof api.openRanks = async (options = {}) => {
  const { count = 2, device = "auto", data = ".", out, log = () => {} } = options;
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
        engine: nodeEngine({ device, data: "/", out: "/" }),
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
    const files = ["--data", resolve(data), ...(out === undefined ? [] : ["--out", resolve(out)])];
    others.start(count - 1, link, ["--device", device, ...files], device !== "cpu");
    await others.joined(() => session.communicator?.size === count);
    const calls = rankedCalls((job, request, { signal = noJob.signal, onLost }) => {
      const restarted = (lost: readonly string[]) => onLost?.(lost.length);
      return session.run(job, request, { ...noJob, signal, restarted });
    });
    return {
      statistics: async (path, text, options = {}) => first(await calls.statistics(path, text, options)),
      writeField: async (path, text, out, options = {}) =>
        first(await calls.writeField(path, text, out, options)),
      surface: async (path, text, shape, options = {}) =>
        first(await calls.surface(path, text, shape, options)),
      writeSurface: async (path, text, shape, out, options = {}) =>
        first(await calls.writeSurface(path, text, shape, out, options)),
      neighbors: async (path, options) => first(await calls.neighbors(path, options)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** This process is the first rank. */
function first<R>(result: R | undefined): R {
  if (result === undefined) throw new Error("The first rank has no result.");
  return result;
}
