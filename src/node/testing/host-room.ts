import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { formatInvitation } from "../../cluster/room/invitation.ts";
import { makeRoomKey } from "../../cluster/room-key.ts";
import type { ClusterSession } from "../../cluster/session.ts";
import type { RankEngine } from "../../engine/ranks/rank-engine.ts";
import { nodeEngine } from "../rank/node-engine.ts";
import { startRank } from "../rank/start-rank.ts";

/** A room hosted by this process, which others join by the link: over TCP, or through the given page. */
export async function hostRoom(
  page?: string,
  jobs?: readonly Job<Value, unknown, RankEngine>[],
): Promise<{ session: ClusterSession<RankEngine>; link: string }> {
  const key = makeRoomKey();
  const { session, tcp } = await startRank(
    {
      invitation: { key, at: page === undefined ? { tcp: "" } : { page } },
      opens: true,
      name: "test",
      gpu: "none",
      launcher: undefined,
      listen: { host: "127.0.0.1" },
      signalling: undefined,
      engine: nodeEngine({ device: "cpu" }),
      jobs,
      events: { onJoinRequest: (request) => request.admit() },
      onReachable: () => {},
    },
    new AbortController().signal,
  );
  return { session, link: formatInvitation({ key, at: page === undefined ? { tcp } : { page } }) };
}
