import { beforeEach, describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { isosurface } from "../../cpu/surfaces/isosurface.ts";
import { dataSetOf, sampledField, uniformGrid } from "../../lang/expression/execute/testing/data-sets.ts";
import { resultStatements } from "../../lang/expression/results.ts";
import { openEngineDevice } from "../device.ts";
import { sessionMeshArrays } from "../mesh-arrays.ts";
import { Session } from "../session.ts";
import { type AskRanks, histogramOnRanks, keepResults, resultsOnRanks } from "./compute-on-ranks.ts";
import { dataElsewhere } from "./data-elsewhere.ts";
import { describeJob } from "./describe-job.ts";
import { gatherJob } from "./gather-job.ts";
import { statisticsJob } from "./statistics-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";

const grid = uniformGrid([6, 5, 9]);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "f", "node", (x, y, z) => x + 2 * y - z),
  sampledField(grid, "v", "cell", (x, y, z) => [x, y, z * z]),
);
const source = { kind: "group", id: "simulation", name: "test" } as const;

/** What rank 0 of a group of three gets. */
async function byThree<R>(
  job: (call: Parameters<typeof describeJob.run>[0]) => Promise<R | undefined>,
): Promise<R> {
  const [found] = await onRanks(3, (communicator) =>
    job({ communicator, engine: engineWith(dataSet, communicator.rank), context: noJob }),
  );
  return found as R;
}

const group = { describe: () => byThree((call) => describeJob.run(call, { source: testSource })) };

let jobs = 0;
const ask: AskRanks = ({ text, results }) => {
  jobs++;
  return byThree((call) =>
    statisticsJob.run(call, { source: testSource, text, wanted: results, blocks: null }),
  );
};

let session: Session;
let alone: Session;

beforeEach(async () => {
  session = new Session(await openEngineDevice("cpu", undefined));
  await session.setData(await dataElsewhere(session, group, source, noJob));
  alone = new Session(await openEngineDevice("cpu", undefined));
  await alone.setDataSet(dataSet);
});

const described = (text: string) => ({
  source,
  text,
  results: resultStatements(text).results.map(({ name }) => name),
  blocks: null,
});

const compute = async (text: string) =>
  keepResults(session, await resultsOnRanks(session, text, described(text), ask), { strategy: "auto" });

describe("data of a group of ranks", () => {
  it("are described as if they were here", () => {
    expect(session.data.gridSummary()).toEqual(alone.data.gridSummary());
    for (const [k, field] of session.data.dataSet.fields.entries()) {
      const { statistics, ...summary } = alone.data.fieldSummary(dataSet.fields[k]);
      expect(session.data.fieldSummary(field)).toMatchObject(summary);
      expect(session.statisticsOf(field.name)).toEqual({
        ...statistics,
        mean: expect.closeTo(statistics.mean, 12),
      });
    }
  });

  it("are computed with there: results have the statistics that this page would take, and later texts read them", async () => {
    const text = "s = f * 2\nw = magnitude(v) + max(s)\nm = avg(f)";
    jobs = 0;
    const [found, expected] = [await compute(text), await alone.compute(text, noJob)];
    expect(jobs).toBe(1);
    expect(found.ranks).toBe(3);
    expect(found.notes).toEqual(expected.notes);
    expect(found.quantities[0]).toMatchObject({ name: "m", expression: "avg(f)" });
    const [own] = found.derived;
    const { name, expression, components, centering, statistics } = expected.derived[0];
    expect(own).toMatchObject({ name, expression, components, centering });
    expect(own.statistics).toEqual({ ...statistics, mean: expect.closeTo(statistics.mean, 6) });
    expect(session.signatures().map(({ name }) => name)).toEqual(["f", "v", "w", "m"]);
    await expect(compute("w + nothing")).rejects.toMatchObject({ tag: "UnknownName" });
  });

  it("have histograms", async () => {
    const { min, max, counts } = await histogramOnRanks(described("histogram(f, 8)"), ask);
    expect([min, max]).toEqual([session.statisticsOf("f").min, session.statisticsOf("f").max]);
    expect(counts.reduce((a, b) => a + b)).toBe(270);
  });

  it("give a mesh all fields, which are gathered one after the other", async () => {
    await compute("g = f + 1");
    await alone.compute("g = f + 1", noJob);
    const mesh = await isosurface(grid, dataSet.fields[0], 1.3);
    const text = session.derived
      .programsOf(["g"])
      .map((program) => program.text)
      .join("\n");
    const gathered = (name: string) =>
      byThree((call) =>
        gatherJob.run(call, { source: testSource, text: name === "g" ? text : "", names: [name] }),
      );
    const arrays = await sessionMeshArrays(session, mesh, noJob, gathered);
    expect(arrays.vertices.map(({ name }) => name)).toEqual(["f", "g"]);
    expect(arrays).toEqual(await sessionMeshArrays(alone, mesh, noJob));
  });

  it("have no values here, and what reads them says so, also after the device was lost", async () => {
    await compute("g = f + 1");
    await session.moveTo(await openEngineDevice("cpu", undefined), noJob);
    expect(session.derived.names()).toEqual(["g"]);
    const network = await session.compile("h = f + g");
    const isElsewhere = {
      tag: "BadArgument",
      problem: expect.stringMatching(
        /^The values of “.*” are on the ranks that read them, not in this page\.$/,
      ),
    };
    for (const name of ["f", "g"]) await expect(session.hostField(name)).rejects.toMatchObject(isElsewhere);
    await expect(session.evaluate(network, ["h"], noJob)).rejects.toMatchObject(isElsewhere);
    await expect(session.compactField("f", noJob)).rejects.toMatchObject(isElsewhere);
  });
});
