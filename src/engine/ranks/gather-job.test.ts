import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { gatherJob } from "./gather-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";

const grid = randomGrid([6, 5, 10], 4);
const doubles = Float64Array.from({ length: 300 }, (_, k) => k / 3);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x, y, z) => [Math.sin(4 * z), x * y, z - x]),
  sampledField(grid, "c", "cell", (x, y, z) => x - y * z),
  { name: "wide", centering: "node", components: 1, dtype: "f64", data: doubles },
);
const text = "w = curl(u)\nd = c * 2";

const gathered = async (ranks: number, name: string) => {
  const request = { source: testSource, text: name === "wide" ? "" : text, names: [name] };
  const [field, ...others] = await onRanks(ranks, (communicator) =>
    gatherJob.run({ communicator, engine: engineWith(dataSet, communicator.rank), context: noJob }, request),
  );
  expect(others.every((other) => other === undefined)).toBe(true);
  return field;
};

describe("a field gathered from ranks", () => {
  it.each([1, 3, 12])("has one session's values, on %i ranks", async (ranks) => {
    const alone = new Session(await openEngineDevice("cpu", undefined));
    await alone.setDataSet(dataSet);
    await alone.compute(text, noJob);
    for (const name of ["w", "d"]) expect(await gathered(ranks, name)).toEqual(await alone.hostField(name));
  });

  it("is as it is stored where it is one of the data", async () => {
    expect(await gathered(3, "wide")).toEqual(dataSet.fields[2]);
  });

  it("is refused where there is none of the name, or more than one", async () => {
    await expect(gathered(2, "nothing")).rejects.toMatchObject({ tag: "BadMessage" });
    expect(() => gatherJob.parse({ source: testSource, text, names: ["w", "d"] })).toThrow(/single/);
  });
});
