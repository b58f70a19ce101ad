import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { check } from "../../cluster/testing/check.ts";
import { hostRoom } from "../testing/host-room.ts";
import { RankProcess } from "../testing/rank-process.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-check-"));
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, external: ["node-datachannel"] },
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: "src/node/testing/check-rank.ts",
        output: { entryFileNames: "rank.mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
});

afterAll(() => rm(folder, { recursive: true }));

it("every call works between processes", async () => {
  const { session, link } = await hostRoom(undefined, [check]);
  const program = join(folder, "rank.mjs");
  const processes = Array.from({ length: 4 }, () => new RankProcess([link], {}, program));
  try {
    await Promise.all(processes.map((rank) => rank.hears(/rank \d of 5\./)));
    await vi.waitUntil(() => session.communicator?.size === 5, { timeout: 20_000 });
    const results = await session.run(check, { longBytes: 1_100_000 });
    expect(session.room.members.map(({ path }) => path)).toEqual(["", "tcp", "tcp", "tcp", "tcp"]);
    expect(results?.length).toBeGreaterThan(100);
    expect(results?.filter(({ passed }) => !passed)).toEqual([]);
  } finally {
    for (const rank of processes) rank.signal("SIGKILL");
    await session.room.leave();
  }
});
