import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../clock.ts";
import { makeMemberId } from "../../room/room.ts";
import { makeRoomKey } from "../../room-key.ts";
import { ClusterSession } from "../../session.ts";
import { check } from "../../testing/check.ts";
import type { Port } from "./port-channel.ts";
import { openPortTransport } from "./port-transport.ts";
import { type Locks, RendezvousServer } from "./rendezvous-server.ts";

/** Locks that are held forever: nobody's tab ends. */
const locks: Locks = {
  request: (async (_name: string, options: LockOptions, call: (lock: Lock | null) => unknown) => {
    if (options.mode === "shared") return new Promise(() => {});
    return call({ name: _name, mode: "exclusive" });
  }) as Locks["request"],
};

describe("tabs as ranks", () => {
  it("join over message ports, and call everything together", async () => {
    const server = new RendezvousServer(locks, "broker");
    const key = makeRoomKey();
    const start = async (host?: string) => {
      const id = makeMemberId();
      const broker = () => {
        const { port1, port2 } = new MessageChannel();
        server.connect(port2 as unknown as Port);
        return port1 as unknown as Port;
      };
      const transport = await openPortTransport({
        room: "r",
        memberId: id,
        browser: "b",
        broker,
        locks,
        onGone: () => {},
      });
      const about = { name: id, device: "test", gpu: "none" };
      const onJoinRequest = (request: { admit(): void }) => request.admit();
      // Introductions take a moment.
      while (host && !transport.canDial(host)) await new Promise((resolve) => setTimeout(resolve, 1));
      const options = {
        key,
        id,
        about,
        transports: [transport],
        clock: systemClock,
        onJoinRequest,
        engine: undefined,
        jobs: [check],
      };
      return { session: await ClusterSession.start(options, host ? [{ port: host }] : undefined), transport };
    };
    const first = await start();
    const others = await Promise.all([
      start(first.transport.address),
      start(first.transport.address),
      start(first.transport.address),
    ]);
    const sessions = [first, ...others].map(({ session }) => session);
    while (sessions.some(({ communicator }) => communicator?.size !== 4)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const results = await first.session.run(check, { longBytes: 1_100_000 });
    expect(results?.length).toBeGreaterThan(100);
    expect(results?.filter(({ passed }) => !passed)).toEqual([]);
    expect(first.session.room.members.map(({ path }) => path)).toEqual(["", "port", "port", "port"]);
    for (const session of sessions.toReversed()) await session.room.leave();
  });
});
