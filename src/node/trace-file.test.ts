import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RankTrace } from "../embed/ranks.ts";
import { writeTrace } from "./trace-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-trace-"));
});
afterAll(() => rm(folder, { recursive: true }));

const traffic = { sent: 40, received: 80, messages: 2 };
const trace: RankTrace = [
  [
    { activity: "compute", name: "q", start: 100, end: 102.5 },
    { activity: "wait", name: "allgather", start: 102.5, end: 104, traffic },
  ],
  [{ activity: "read", name: "read", start: 99, end: 101 }],
];

describe("a trace file", () => {
  it("is of the Trace Event format: complete events in microseconds, a thread for each rank", async () => {
    const path = join(folder, "trace.json");
    await writeTrace(
      path,
      [trace, [[{ activity: "pack", name: "pack", start: 110, end: 111 }]]],
      ["GPU", "CPU"],
    );
    const pid = 0;
    const thread = (name: string, tid: number, args: object) => ({ ph: "M", name, pid, tid, args });
    const complete = (tid: number, name: string, cat: string, ts: number, dur: number, args = {}) => ({
      ...{ ph: "X", name, cat, ts, dur, pid, tid, args },
    });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
      displayTimeUnit: "ms",
      traceEvents: [
        thread("process_name", 0, { name: "Crinkle" }),
        thread("thread_name", 0, { name: "Rank 0 (GPU)" }),
        thread("thread_sort_index", 0, { sort_index: 0 }),
        thread("thread_name", 1, { name: "Rank 1 (CPU)" }),
        thread("thread_sort_index", 1, { sort_index: 1 }),
        complete(0, "q", "compute", 1000, 2500),
        complete(0, "allgather", "wait", 3500, 1500, traffic),
        complete(1, "read", "read", 0, 2000),
        complete(0, "pack", "pack", 11000, 1000),
      ],
    });
  });

  it("is refused where it cannot be written", async () => {
    await expect(writeTrace(join(folder, "none", "trace.json"), [trace], [])).rejects.toMatchObject({
      tag: "BadArgument",
    });
  });
});
