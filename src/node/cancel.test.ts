import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ensureBuilt } from "../../tools/build.mjs";
import { TestFolder } from "./testing/cli-data.ts";

const folder = new TestFolder();

beforeAll(() => ensureBuilt("node", console.info));

const points = 80;

it("a cancel ends a job on all ranks at once, frees what it took, and leaves them ready for the next", async () => {
  const file = folder.file("waves.nrrd");
  const values = Float32Array.from({ length: points ** 3 }, (_, i) => Math.sin(i / 3));
  const sizes = `sizes: ${points} ${points} ${points}`;
  const header = `NRRD0004\ntype: float\ndimension: 3\n${sizes}\nencoding: raw\nendian: little\n\n`;
  await writeFile(file, Buffer.concat([Buffer.from(header), Buffer.from(values.buffer)]));
  const long = `${"median_filter(".repeat(60)}values${")".repeat(60)}`;
  const program = ["--expose-gc", "src/node/testing/cancel-jobs.mjs", resolve("dist/node/ranks.js")];
  const { stdout, stderr } = spawnSync(process.execPath, [...program, file, long, "max(values)"], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const { ms, left, busy, ranks } = JSON.parse(stdout) as Record<"left" | "busy" | "ranks", number> & {
    readonly ms: readonly number[];
  };
  // At most 200 ms where each rank has a core of its own.
  expect(ms.toSorted((a, b) => a - b)[1]).toBeLessThan(500);
  // The planes of the file stay for the next job: 4 bytes a value. A stage of the evaluation takes 8.
  expect(left).toBeLessThan(6 * values.length);
  expect(busy).toBeLessThan(15);
  expect(ranks).toBe(3);
});
