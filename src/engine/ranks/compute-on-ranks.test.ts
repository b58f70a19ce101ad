import { beforeEach, describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { dataSetOf, sampledField, uniformGrid } from "../../lang/expression/execute/testing/data-sets.ts";
import { resultStatements } from "../../lang/expression/results.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { type AskRanks, keepResults, resultsOnRanks } from "./compute-on-ranks.ts";
import { statisticsJob } from "./statistics-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";
import { isForRanks } from "./where-computed.ts";

const grid = uniformGrid([6, 5, 9]);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "f", "node", (x, y, z) => x + 2 * y - z),
  sampledField(grid, "v", "cell", (x, y, z) => [x, y, z * z]),
);

const ask: AskRanks = async ({ text, results }, lost) => {
  lost(["Ada"]);
  const [found] = await onRanks(3, (communicator) =>
    statisticsJob.run(
      { communicator, engine: engineWith(dataSet, communicator.rank), context: noJob },
      { source: testSource, text, wanted: results, blocks: null },
    ),
  );
  return found!;
};

let session: Session;
let alone: Session;

beforeEach(async () => {
  [session, alone] = [0, 1].map(() => new Session({ summary, gpu: undefined }));
  for (const each of [session, alone]) await each.setDataSet(dataSet);
});

const { summary } = await openEngineDevice("cpu", undefined);

/** Computes a text on ranks as a page does: with the texts of what it reads before it. */
async function onRanksOf(session: Session, text: string, reads: readonly string[] = []) {
  const texts = [...session.derived.programsOf(reads).map((program) => program.text), text];
  const results = resultStatements(text).results.map(({ name }) => name);
  const described = { source: testSource, text: texts.join("\n"), results, blocks: null };
  const found = await resultsOnRanks(session, text, described, ask);
  return keepResults(session, found, { strategy: "auto" });
}

describe("a field that the ranks of a room have computed", () => {
  it("has their statistics, and no values here until something here reads them", async () => {
    const { derived, notes, ranks } = await onRanksOf(session, "w = magnitude(v) + max(f)");
    await alone.compute("w = magnitude(v) + max(f)", noJob);
    const { mean, ...exact } = alone.statisticsOf("w");
    expect(derived[0]).toMatchObject({ name: "w", ranks: 3, bytes: 0, statistics: exact });
    expect(derived[0].statistics.mean).toBeCloseTo(mean, 6);
    expect([ranks, notes]).toEqual([3, ["Ada was lost; the others computed its part, too."]]);
    expect(session.derived.isElsewhere("w")).toBe(true);
    expect(await session.hostField("w")).toEqual(await alone.hostField("w"));
    expect(session.derived.isElsewhere("w")).toBe(false);
  });

  it("is computed here by what its name meant then, where other results have changed or hidden what it reads", async () => {
    await onRanksOf(session, "a = f * 2");
    await onRanksOf(session, "b = a + 1", ["a"]);
    await onRanksOf(session, "a = a * 10", ["a"]);
    await onRanksOf(session, "f = a - b", ["a", "b"]);
    for (const text of ["a = f * 2", "b = a + 1", "a = a * 10", "f = a - b"])
      await alone.compute(text, noJob);
    const sum = "all = a + b + f";
    const { mean, ...exact } = (await alone.compute(sum, noJob)).derived[0].statistics;
    const [{ statistics }] = (await session.compute(sum, noJob)).derived;
    expect(statistics).toMatchObject(exact);
    expect(statistics.mean).toBeCloseTo(mean, 6);
    expect(["a", "b", "f"].some((name) => session.derived.isElsewhere(name))).toBe(false);
  });

  it("stays theirs where the page's device is lost", async () => {
    await onRanksOf(session, "a = f * 2");
    await session.compute("h = f + 1", noJob);
    await session.moveTo({ summary, gpu: undefined }, noJob);
    expect(session.derived.names()).toEqual(["a", "h"]);
    expect([session.derived.isElsewhere("a"), session.derived.isElsewhere("h")]).toEqual([true, false]);
  });
});

describe("a text is for the ranks of a room", () => {
  const auto = { strategy: "auto" } as const;

  it("on large grids, unless it reads what has been computed here", async () => {
    expect(isForRanks(session, "f + 1", auto)).toBe(false);
    const wide = { ...grid, dims: [64, 64, 64] as const };
    const data = { points: undefined, hasValues: true, dataSet: { ...dataSet, grid: wide } };
    const large = {
      data: Object.assign(Object.create(session.data), data),
      derived: session.derived,
      device: session.device,
    };
    expect(isForRanks(large, "f + 1", auto)).toBe(true);
    await session.compute("here = f + 1", noJob);
    expect(isForRanks(large, "here * 2", auto)).toBe(false);
    await onRanksOf(session, "there = f + 1");
    expect(isForRanks(large, "there * 2", auto)).toBe(true);
    expect(isForRanks(large, "f + 1", { strategy: "staged" })).toBe(false);
  });

  it("where a field that it reads exceeds the memory limit, whatever the grid's size", () => {
    expect(isForRanks(session, "f + 1", { ...auto, budget: 4 * 270 })).toBe(false);
    expect(isForRanks(session, "f + 1", { ...auto, budget: 4 * 269 })).toBe(true);
    expect(isForRanks(session, "magnitude(v)", { ...auto, budget: 4 * 270 })).toBe(true);
  });
});
