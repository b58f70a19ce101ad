import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { RankProcess } from "./testing/rank-process.ts";

// A rank that joined and then died is missing from the room before the next call begins its job.
it("tells the next call, once, of a rank that was lost before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crinkle-program-"));
  const program = join(folder, "program.mjs");
  const library = pathToFileURL(resolve("dist/node/ranks.js"));
  const values = join(folder, "values.raw");
  writeFileSync(
    values,
    Float32Array.from({ length: 64 }, (_, i) => i),
  );
  writeFileSync(
    program,
    `import { setTimeout } from "node:timers/promises";
import { openRanks } from "${library}";
const data = "${values}";
const pids = [];
const log = (line) => pids.push(...(/is process (\\d+)/.exec(line)?.slice(1) ?? []));
const ranks = await openRanks({ count: 3, device: "cpu", data, log });
const shape = { dims: [4, 4, 4], dtype: "f32", components: 1, spacing: [1, 1, 1], origin: [0, 0, 0] };
const raw = { ...shape, byteOrder: "little", headerBytes: 0 };
const lost = [];
const call = async () => {
  const { results, ranks: made } = await ranks.statistics(data, "2 * values", { raw, onLost: (count) => lost.push(count) });
  console.log(JSON.stringify({ max: results[0].value.statistics.max, ranks: made.length, lost }));
};
await call();
process.kill(Number(pids[0]), "SIGKILL");
await setTimeout(1000);
await call();
await call();
await ranks.close();
`,
  );
  const run = new RankProcess([], {}, program);
  try {
    expect(await run.ends(60_000), run.err).toBe(0);
    expect(
      run.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { max: 126, ranks: 3, lost: [] },
      { max: 126, ranks: 2, lost: [1] },
      { max: 126, ranks: 2, lost: [1] },
    ]);
  } finally {
    run.signal("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}, 90_000);
