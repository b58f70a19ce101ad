import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { gatherField } from "./gather-field.ts";
import { gatherJob } from "./gather-job.ts";
import { namedParts } from "./named-parts.ts";
import { openRankedData } from "./ranked-data.ts";
import type { RecordedCommunicator } from "./recorded-communicator.ts";
import { recordedRun } from "./recorded-run.ts";
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

/** As `gathered`, in messages of so few bytes together. */
const gatheredInParts = async (ranks: number, maxBytes: number, blocks: WantedBlocks) => {
  const longest: number[] = [];
  const [field] = await onRanks(ranks, async (communicator) => {
    const engine = engineWith(dataSet, communicator.rank);
    const run = recordedRun({ communicator, engine, context: noJob }, noJob, "Gather");
    const data = await openRankedData(run.communicator, engine, testSource, noJob, run.watch, { blocks });
    const counting = listeningTo(run.communicator, (bytes) => longest.push(bytes));
    const [part] = await namedParts({ ...run, data }, data, { text: "", names: ["u"] });
    return gatherField({ ...run, data, communicator: counting }, part, maxBytes);
  });
  return { field, longest: Math.max(...longest), messages: longest.length };
};

/** Hears of the bytes that a rank gives to a gather. */
function listeningTo(communicator: RecordedCommunicator, heard: (bytes: number) => void) {
  return new Proxy(communicator, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        if (name === "gather" && ArrayBuffer.isView(given[0])) heard(given[0].byteLength);
        return Reflect.apply(member, target, given);
      };
    },
  });
}

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

  it.each([
    // A layer of two ranks' own nodes has 6 × 5 of 12 bytes; rows of four ranks' have 2 or 4.
    [2, 2 * 2 * 360, [1, 1, 2], 2 * 360],
    [4, 4 * 2 * 36, [2, 2, 1], 2 * 36],
    [4, 1, [2, 2, 1], 4 * 12],
  ] as const)("comes in parts where it is long: %i ranks, %i bytes at a time", async (...given) => {
    const [ranks, maxBytes, blocks, expected] = given;
    const { field, longest, messages } = await gatheredInParts(ranks, maxBytes, blocks);
    expect(field).toEqual(dataSet.fields[0]);
    expect(longest).toBe(expected);
    expect(messages).toBeGreaterThan(2 * ranks);
  });

  it("is refused where there is none of the name, or more than one", async () => {
    await expect(gathered(2, "nothing")).rejects.toMatchObject({ tag: "BadMessage" });
    expect(() => gatherJob.parse({ source: testSource, text, names: ["w", "d"] })).toThrow(/single/);
  });
});
