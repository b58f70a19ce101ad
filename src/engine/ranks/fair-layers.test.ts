import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { dataSetOf, sampledField, uniformGrid } from "../../lang/expression/execute/testing/data-sets.ts";
import { agreedDivision } from "./division.ts";
import { areFairer, cellsOfLayers, fairLayers } from "./fair-layers.ts";
import { type Pace, speedsFrom } from "./paces.ts";
import type { RankEngine } from "./rank-engine.ts";
import { statisticsJob } from "./statistics-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";

/** 20 layers of cells. */
const grid = uniformGrid([5, 4, 21]);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "f", "node", (x, y, z) => Math.sin(3 * x) * y + z * z),
);

/** A rank's latest jobs, in which it evaluated so many nodes in a millisecond. */
const paces = (...speeds: readonly number[]): readonly Pace[] =>
  speeds.map((speed) => ({ nodes: 100 * speed, ms: 100 }));

describe("the ranks' speeds", () => {
  it("are medians over jobs that all of them ran, relative to the mean", () => {
    // The second job was four times as costly, and in the last one the first rank compiled.
    const told = [paces(9, 60, 15, 60, 0.1), paces(20, 5, 20, 20)];
    expect(speedsFrom(told)?.map((speed) => speed.toFixed(2))).toEqual(["1.50", "0.50"]);
  });

  it("are not known by few jobs, by short ones, or of a rank that had no cells", () => {
    expect(speedsFrom([paces(3, 3, 3), paces(1, 1)])).toBeUndefined();
    expect(speedsFrom([paces(3, 3, 3), paces(1, 1, 0)])).toBeUndefined();
    const short = paces(3, 3, 3).map(({ nodes }) => ({ nodes, ms: 99 }));
    expect(speedsFrom([short, short])).toBeUndefined();
    expect(speedsFrom([short, paces(1, 1, 1)])).toBeDefined();
  });
});

describe("layers by speed", () => {
  it("are proportional, but one at least for each rank", () => {
    expect(fairLayers(grid, [2, 1, 1])?.ends).toEqual([10, 15, 20]);
    expect(fairLayers(grid, [1000, 1, 1])?.ends).toEqual([18, 19, 20]);
    expect(fairLayers(grid, [1, 1, 1000])?.ends).toEqual([1, 2, 20]);
    expect(fairLayers(grid, new Array<number>(21).fill(1))).toBeUndefined();
  });

  it("take the place of others that differ by more than a quarter in the ranks' times", () => {
    const isTaken = (before: readonly number[], speeds: readonly number[]) => {
      const fair = fairLayers(grid, speeds);
      return fair && areFairer(grid, cellsOfLayers(grid, before), fair);
    };
    expect(isTaken([10, 20], [1.1, 0.9])).toBe(false);
    expect(isTaken([10, 20], [1.2, 0.8])).toBe(true);
    expect(isTaken([12, 20], [1.25, 0.75])).toBe(false);
    // No other layers would be done sooner.
    expect(isTaken([18, 19, 20], [2.7, 0.2, 0.1])).toBe(false);
  });
});

describe("ranks of different speeds", () => {
  const compute = (speeds: readonly (readonly Pace[])[], blocks: readonly number[] | null = null) =>
    onRanks(3, async (communicator) => {
      const engine: RankEngine = engineWith(dataSet, communicator.rank, "host");
      engine.paces = speeds[communicator.rank];
      const call = { communicator, engine, context: noJob };
      const request = { source: testSource, text: "gradient(f)[2]", wanted: null, blocks };
      const found = await statisticsJob.run(call, request);
      return { found, kept: engine.division, paces: engine.paces };
    });

  it("get layers in proportion, say so, and find the same", async () => {
    const speeds = [paces(6, 6, 6), paces(3, 3, 3), paces(1, 1, 1)];
    const [{ found, kept, paces: after }] = await compute(speeds);
    const [{ found: even }] = await compute([]);
    expect(found?.ranks.map(({ block }) => block[2])).toEqual([
      [0, 12],
      [12, 18],
      [18, 20],
    ]);
    expect(found?.ranks.map(({ share }) => share)).toEqual([12 / 21, 6 / 21, 3 / 21]);
    expect(found?.ranks.map(({ speed }) => speed?.toFixed(1))).toEqual(["1.8", "0.9", "0.3"]);
    expect(even?.ranks.map(({ speed }) => speed)).toEqual([undefined, undefined, undefined]);
    const [one, other] = [found, even].map((each) => each?.results[0].value);
    if (one?.kind !== "field" || other?.kind !== "field") throw new Error("Gradients are fields.");
    const { mean, ...exact } = other.statistics;
    expect(one.statistics).toMatchObject(exact);
    expect(one.statistics.mean).toBeCloseTo(mean, 6);
    expect([kept?.counts, kept?.fair?.ends, after?.length]).toEqual([[1, 1, 3], [12, 18, 20], 4]);
  });

  it("have the blocks that somebody wants all the same, and layers only where they are known to differ", async () => {
    const speeds = [paces(6, 6, 6), paces(3, 3, 3), paces(1, 1, 1)];
    const [{ found: wanted }] = await compute(speeds, [1, 1, 3]);
    expect(wanted?.ranks.map(({ block: [, , z] }) => z[1])).toEqual([6, 13, 20]);
    const description = { name: "test", grid, fields: [] };
    const kept = {
      counts: [1, 1, 2],
      fair: [
        [14, 20],
        [1.4, 0.6],
      ],
      ghosts: 0,
      isWanted: false,
    };
    const chosen = async (speeds: readonly number[]) =>
      (await agreedDivision({ blocks: null }, [kept, null], speeds, description)).fair?.ends;
    expect(await chosen([1.35, 0.65])).toEqual([14, 20]);
    expect(await chosen([1, 1])).toBeUndefined();
    const broken = {
      ...kept,
      fair: [
        [14, 21],
        [1.4, 0.6],
      ],
    };
    const even = await agreedDivision({ blocks: null }, [broken, null], undefined, description);
    expect(even).toMatchObject({ counts: [1, 1, 2], fair: null });
  });
});
