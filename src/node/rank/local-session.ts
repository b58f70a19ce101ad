import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { formatInvitation } from "../../cluster/room/invitation.ts";
import { keyBytes } from "../../cluster/room-key.ts";
import type { ClusterSession } from "../../cluster/session.ts";
import { noJob } from "../../core/job.ts";
import type { RankEngine } from "../../engine/ranks/rank-engine.ts";
import type { WantedDevice } from "../device.ts";
import { LocalRanks, rankCommandOf } from "./local-ranks.ts";
import { nodeEngine } from "./node-engine.ts";
import { type StartedRank, startRank } from "./start-rank.ts";

export interface LocalSessionOptions {
  readonly count: number;
  readonly device: WantedDevice;
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
  readonly session: ClusterSession<RankEngine>;
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
    return { session, engine, close };
  } catch (error) {
    await close();
    throw error;
  }
}
