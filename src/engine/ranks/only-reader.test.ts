import { describe, expect, it } from "vitest";
import type { JobCall } from "../../cluster/jobs/service.ts";
import type { DataSet } from "../../core/field.ts";
import { noJob } from "../../core/job.ts";
import { isPointSet, type PointSet } from "../../core/point-set.ts";
import type { StoredData } from "../../data/stored.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { neighborsJob, neighborsRequest } from "./neighbors-job.ts";
import type { RankEngine } from "./rank-engine.ts";
import { statisticsJob } from "./statistics-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";

const grid = randomGrid([4, 3, 5], 1);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x, y, z) => [x + y * z]),
);
const points: PointSet = {
  name: "stars",
  dimensions: 3,
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0),
  columns: [],
  notes: [],
};
const statistics = (call: JobCall<RankEngine>) =>
  statisticsJob.run(call, { source: testSource, text: "u", wanted: null, blocks: null });

/** What rank 0 hears of a job before and while `reader`, or every rank, reads values. */
async function heard(
  ranks: number,
  reader: number | "all",
  data: DataSet | PointSet,
  run: (call: JobCall<RankEngine>) => Promise<unknown>,
): Promise<readonly (string | undefined)[]> {
  const events: (string | undefined)[] = [];
  await onRanks(ranks, async (communicator) => {
    const { rank } = communicator;
    const readers = reader === "all" || reader === rank ? "all" : "host";
    const engine = engineWith(data, readers === "all" ? 0 : 1, readers);
    const read = engine.read;
    engine.read = async (source, context) => {
      const opened = await read(source, context);
      return opened && !isPointSet(opened) ? noting(opened, events) : opened;
    };
    const warn = (sentence: string | undefined) => events.push(sentence);
    const context = rank === 0 ? { ...noJob, warn } : noJob;
    await run({ communicator, engine, context });
  });
  return events;
}

const noting = (data: StoredData, events: (string | undefined)[]): StoredData => ({
  ...data,
  fields: data.fields.map((field) => ({
    ...field,
    values(box, context) {
      events.push("values");
      return field.values(box, context);
    },
  })),
});

describe("a job over data that one rank alone can read", () => {
  it.each([0, 2])("says that before anything is read: rank %i", async (reader) => {
    const [first, ...rest] = await heard(3, reader, dataSet, statistics);
    expect(first).toBe(
      `Only rank ${reader} can read ${dataSet.name}; if it is lost, the job cannot be repeated.`,
    );
    expect(new Set(rest)).toEqual(new Set(["values"]));
  });

  it("says so of points, too", async () => {
    const neighbors = (call: JobCall<RankEngine>) =>
      neighborsJob.run(call, neighborsRequest(testSource, { k: 1 }));
    expect(await heard(2, 1, points, neighbors)).toEqual([
      "Only rank 1 can read stars; if it is lost, the job cannot be repeated.",
    ]);
  });

  it("says nothing where another rank can read them, or there is no other", async () => {
    for (const ranks of [1, 3]) {
      const events = await heard(ranks, "all", dataSet, statistics);
      expect(events.filter((event) => event !== "values")).toEqual([undefined]);
    }
  });
});
