import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { formatInvitation } from "../../cluster/room/invitation.ts";
import { keyBytes } from "../../cluster/room-key.ts";
import type { ClusterSession, JobEvents } from "../../cluster/session.ts";
import { noJob } from "../../core/job.ts";
import type { RankEngine } from "../../engine/ranks/rank-engine.ts";
import type { RankDevice } from "../device-option.ts";
import { LocalRanks, rankCommandOf } from "./local-ranks.ts";
import { nodeEngine } from "./node-engine.ts";
import { type StartedRank, startRank } from "./start-rank.ts";

export interface LocalSessionOptions {
  readonly count: number;
  readonly device: RankDevice;
  /** The file or folder that all ranks may read; none where it is left out. */
  readonly data?: string;
  /** What this process may read of that; all of the machine's files where it is left out. */
  readonly ownData?: string;
  /** The file of the web that all ranks may read. */
  readonly address?: string;
  /** The folder that the other ranks may write into. */
  readonly out?: string;
  readonly log: (line: string) => void;
}

/** Ranks on this machine, of which this process is the first. */
export interface LocalSession {
  /**
   * Runs a job on all ranks. `restarted` hears of ranks that were lost while it ran, and of those that were lost before it began, after
   * the job before. Rejects with what the job's parts throw.
   */
  run<P extends Value, R>(job: Job<P, R, RankEngine>, parameters: P, events: JobEvents): Promise<R>;
  /** This process's. */
  readonly engine: RankEngine;
  close(): Promise<void>;
}

/** Throws Unreachable where one of them cannot be started. */
export async function openLocalSession({
  count,
  device,
  data,
  ownData = "/",
  address,
  out,
  log,
}: LocalSessionOptions): Promise<LocalSession> {
  const engine = nodeEngine({ device, data: ownData, address, out: "/" });
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
        engine,
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
    const readable = data === undefined ? [] : ["--data", resolve(data)];
    const remote = address === undefined ? [] : ["--address", address];
    const writable = out === undefined ? [] : ["--out", resolve(out)];
    const command = rankCommandOf(link, ["--device", device, ...readable, ...remote, ...writable]);
    others.start(count - 1, { command, usesGpus: device !== "cpu" });
    await others.joined(() => session.communicator?.size === count);
    return { run: runWith(session), engine, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function runWith(session: ClusterSession<RankEngine>): LocalSession["run"] {
  let expected = session.members;
  return (job, parameters, events) => {
    const { members } = session;
    const lost = expected.filter((id) => !members.includes(id));
    expected = members;
    if (lost.length > 0) events.restarted?.(lost);
    const restarted = (ids: readonly string[]) => {
      expected = expected.filter((id) => !ids.includes(id));
      events.restarted?.(ids);
    };
    return session.run(job, parameters, { ...events, restarted });
  };
}
