import { expect, it, vi } from "vitest";
import { check } from "../../cluster/jobs/check.ts";
import { hostRoom } from "../testing/host-room.ts";
import { RankProcess } from "../testing/rank-process.ts";

it("every call works between processes", async () => {
  const { session, link } = await hostRoom();
  const processes = Array.from({ length: 4 }, () => new RankProcess(["rank", link]));
  try {
    await Promise.all(processes.map((rank) => rank.hears(/rank \d of 5\./)));
    await vi.waitUntil(() => session.communicator?.size === 5);
    const results = await session.run(check, { longBytes: 2_000_000 });
    expect(session.room.members.map(({ path }) => path)).toEqual(["", "tcp", "tcp", "tcp", "tcp"]);
    expect(results?.length).toBeGreaterThan(100);
    expect(results?.filter(({ passed }) => !passed)).toEqual([]);
  } finally {
    for (const rank of processes) rank.signal("SIGKILL");
    await session.room.leave();
  }
}, 60_000);
