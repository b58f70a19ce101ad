import { describe, expect, it } from "vitest";
import { rankProcesses } from "../testing/rank-processes.ts";

const { start, open } = rankProcesses();

describe("ranks as processes", () => {
  it("join by the link, notice at once that one is killed, and within six seconds that one is frozen", async () => {
    const { room, link } = await open();
    const ranks = [0, 1, 2].map((k) =>
      start(["rank", link, "--name", `rank ${k}`], { SLURM_PROCID: `${k}`, SLURM_NTASKS: "3" }),
    );
    await room.hears(/rank 0 of 4, host/);
    for (const rank of ranks) await rank.hears(/rank \d of 4\./);
    expect(room.err).toContain("Slurm rank 1 of 3");

    ranks[0].signal("SIGKILL");
    expect(await room.hears(/rank 0 of 3, host\.\n(?![\s\S]*of 4)/)).toBeLessThan(1000);

    ranks[1].signal("SIGSTOP");
    expect(await room.hears(/rank 0 of 2, host\.\n(?![\s\S]*of 3)/)).toBeLessThan(6500);
    ranks[1].signal("SIGCONT");
    await ranks[1].hears(
      /continued without this one[\s\S]* Joining again as a new rank\.[\s\S]*rank \d of 3\./,
    );

    ranks[2].signal("SIGINT");
    expect(await ranks[2].ends()).toBe(0);
    expect(ranks[2].err).toContain("Left the room.");
    await room.hears(/rank 0 of 2, host\.\n(?![\s\S]*of 3)/);
  });

  it("end at once on SIGINT while they look for a host", async () => {
    const nobody = start(["rank", "tcp://127.0.0.1:9/#room=AAAAAAAAAAAAAAAAAAAAAA"]);
    // By now it waits for two seconds.
    await nobody.hears(/(Trying again[\s\S]*){3}/);
    const before = performance.now();
    nobody.signal("SIGINT");
    expect(await nobody.ends()).toBe(0);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
