import { beforeAll, describe, expect, it } from "vitest";
import type { Value } from "../../cluster/communicator/communicator.ts";
import { locateCell } from "../../core/cell-location.ts";
import { nodeCoordinates, type Triple } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../device.ts";
import { namedFields, valuesOf } from "../probe/field-values.ts";
import { Session } from "../session.ts";
import { probeJob } from "./probe-job.ts";
import { engineWith, onRanks, type Readers, testSource } from "./testing/on-ranks.ts";

const grid = randomGrid([6, 5, 10], 4);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x, y, z) => [Math.sin(4 * z), x * y, z - x]),
  sampledField(grid, "c", "cell", (x, y, z) => x - y * z),
);

const axes = [0, 1, 2].map((axis) => nodeCoordinates(grid, axis));
const text = "w = curl(u)\nd = c - avg(c)";
const names = ["w", "c", "u", "d"];
const alone = new Session(await openEngineDevice("cpu", undefined));

/** What one session knows of a position. */
async function expected(position: Triple): Promise<readonly (readonly number[])[]> {
  const named = namedFields(alone);
  const asked = names.map((name) => named.find((each) => each.name === name)!.value);
  return valuesOf(undefined, asked, locateCell(grid, position));
}

const probed = async (ranks: number, position: Triple, readers: Readers = "all") => {
  const request = { source: testSource, text, names, position, inside: position };
  const [found, ...others] = await onRanks(ranks, (communicator) => {
    const engine = engineWith(dataSet, communicator.rank, readers);
    return probeJob.run({ communicator, engine, context: noJob }, request);
  });
  expect(others.every((other) => other === undefined)).toBe(true);
  return found;
};

describe("a probe over ranks", () => {
  beforeAll(async () => {
    await alone.setDataSet(dataSet);
    await alone.compute(text, noJob);
  });

  it.each([1, 3, 12])("has one session's values in every layer, on %i ranks", async (ranks) => {
    const [xs, ys, zs] = axes;
    for (let layer = 0; layer < zs.length - 1; layer += ranks === 12 ? 4 : 1) {
      // 12 ranks have blocks, of which these are different ones.
      const [x, y] = [layer % 5, (layer >> 1) % 4];
      const position: Triple = [
        0.3 * xs[x] + 0.7 * xs[x + 1],
        0.5 * (ys[y] + ys[y + 1]),
        0.2 * zs[layer] + 0.8 * zs[layer + 1],
      ];
      expect(await probed(ranks, position, layer % 2 ? "host" : "all")).toEqual(await expected(position));
    }
  });

  it("takes positions on and beyond the grid's ends to them", async () => {
    const top: Triple = [axes[0].at(-1)!, axes[1].at(-1)!, axes[2].at(-1)!];
    expect(await probed(3, top)).toEqual(await expected(top));
    const beyond: Triple = [-9, top[1], top[2] + 9];
    expect(await probed(3, beyond)).toEqual(await expected(beyond));
  });

  it("checks what a host asks for", () => {
    const request = { source: testSource, text: "", names: ["u"], position: [0, 0, 1], inside: [0, 0, 1] };
    expect(probeJob.parse(request)).toEqual(request);
    const wrong: Value[] = [
      null,
      { ...request, text: 3 },
      { ...request, names: "u" },
      { ...request, names: [1] },
      { ...request, position: [0, 0] },
      { ...request, inside: [0, 0, "1"] },
    ];
    for (const value of wrong) expect(() => probeJob.parse(value)).toThrow();
  });
});
