import { describe, expect, it, vi } from "vitest";
import { rankProcesses } from "../testing/rank-processes.ts";

const { start, open } = rankProcesses();

describe("ranks as processes", () => {
  it("take over as host when the host is lost", async () => {
    const { room, link } = await open();
    const one = start(["rank", link]);
    await one.hears(/rank 1 of 2/);
    const two = start(["rank", link]);
    await two.hears(/rank 2 of 3/);
    room.signal("SIGKILL");
    await one.hears(/rank 0 of 2, host/);
    await two.hears(/rank 1 of 2/);
  });

  it("redirect joiners to the current host, which a frozen former host joins again when it wakes", async () => {
    const { room, link } = await open();
    const one = start(["rank", link]);
    await one.hears(/rank 1 of 2/);
    const two = start(["rank", link]);
    await two.hears(/rank 2 of 3/);
    room.signal("SIGSTOP");
    await one.hears(/rank 0 of 2, host/);
    room.signal("SIGCONT");
    await room.hears(/Joining again as a new rank\.[\s\S]*rank 2 of 3\./);
    // The link stays valid. It is printed by another stream than what was heard.
    await vi.waitFor(() => expect(room.out).toBe(`${link}\n${link}\n`), { timeout: 10_000 });
    const three = start(["rank", link]);
    await three.hears(/rank 3 of 4/);
    await one.hears(/rank 0 of 4, host/);
  });

  it("end with a reason if the link is invalid, its key is wrong, or nobody is there", async () => {
    const { link } = await open();
    const none = start(["rank", "https://example.org/"]);
    expect(await none.ends()).toBe(1);
    expect(none.err).toContain("is not an invitation to a room");
    const other = start(["rank", link.replace(/room=.{4}/, "room=AAAA"), "--join-timeout", "0"]);
    expect(await other.ends()).toBe(1);
    expect(other.err).toMatch(/No rank could be reached|room's key/);
    const nobody = start(["rank", link.replace(/:\d+\//, ":9/"), "--join-timeout", "0"]);
    expect(await nobody.ends()).toBe(1);
    expect(nobody.err).toContain("No rank could be reached");
  });
});
