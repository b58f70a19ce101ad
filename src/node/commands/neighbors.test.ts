import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { pointsOf } from "../../core/kd-tree/testing/points.ts";
import { launchers } from "../mpi/testing/launchers.ts";
import { TestFolder } from "../testing/cli-data.ts";
import { runWithKilledRank } from "../testing/killed-rank.ts";
import { resultOf, runCrinkle } from "../testing/run-crinkle.ts";

interface Range {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

interface Result {
  readonly points: number;
  readonly neighbors: number;
  readonly distance: Range;
  readonly density: Range;
  readonly data: string;
  readonly operations: readonly { readonly name: string }[];
  readonly ranks: readonly { readonly points: number; readonly device: string }[];
}

const folder = new TestFolder();
let few: string;
let many: string;

const tableOf = (coordinates: Float32Array) => {
  const rows = Array.from({ length: coordinates.length / 3 }, (_, i) =>
    coordinates.slice(3 * i, 3 * i + 3).join(),
  );
  return `x,y,z\n${rows.join("\n")}\n`;
};

beforeAll(async () => {
  [few, many] = [folder.file("few.csv"), folder.file("many.csv")];
  await writeFile(few, tableOf(pointsOf("on a lattice, many equal", 200, 3)));
  await writeFile(many, tableOf(pointsOf("random", 10_000, 3)));
});

/** The result without what another run does otherwise. */
const numbersOf = ({ points, neighbors, distance, density }: Result) => ({
  points,
  neighbors,
  distance,
  density,
});

describe("crinkle neighbors", () => {
  it("gives one rank's pairs by three ranks, and writes them", async () => {
    const args = ["neighbors", few, "--k", "5", "--device", "cpu"];
    const alone = await resultOf<Result>([...args, "--out", folder.file("alone.csv")]);
    expect(alone).toMatchObject({
      points: 200,
      neighbors: 1000,
      distance: { min: 0 },
      data: "read by each rank",
    });
    const [out, trace] = [folder.file("ranked.csv"), folder.file("trace.json")];
    const ranked = await resultOf<Result>([...args, "--ranks", "3", "--out", out, "--trace", trace]);
    expect(numbersOf(ranked)).toEqual(numbersOf(alone));
    expect(ranked.ranks.reduce((sum, { points }) => sum + points, 0)).toBe(200);
    const [one, three] = await Promise.all(
      ["alone.csv", "ranked.csv"].map((name) => readFile(folder.file(name), "utf8")),
    );
    expect(three).toBe(one);
    expect(one.split("\n").length).toBe(1002);
    const { traceEvents } = JSON.parse(await readFile(trace, "utf8")) as {
      readonly traceEvents: readonly { readonly ph: string; readonly tid: number; readonly name: string }[];
    };
    const spans = traceEvents.filter(({ ph }) => ph === "X");
    for (const tid of [0, 1, 2])
      expect(spans.filter((span) => span.tid === tid).map(({ name }) => name)).toContain("allgather");
    expect(ranked.operations.map(({ name }) => name)).toContain("allgather");
  });

  it("writes records, and points with what is around them", async () => {
    const args = ["neighbors", few, "--radius", "1", "--device", "cpu"];
    const { neighbors, density } = await resultOf<Result>([...args, "--out", folder.file("pairs.npy")]);
    const bytes = await readFile(folder.file("pairs.npy"));
    expect(bytes.length % 16).toBe(0);
    expect(bytes.length - 16 * neighbors).toBeLessThan(256);
    await resultOf<Result>([...args, "--ranks", "2", "--out", folder.file("around.vtp")]);
    const info = await resultOf<{
      readonly columns: readonly { readonly name: string; readonly max: number }[];
    }>(["info", folder.file("around.vtp")]);
    expect(info.columns.map(({ name }) => name)).toEqual(["density", "neighbors", "distance"]);
    expect(info.columns[0].max).toBe(density.max);
    expect(info.columns[2].max).toBeLessThanOrEqual(1);
  });

  it.each(launchers)("computes on the ranks that $library has launched", async ({ program, options }) => {
    const args = ["neighbors", few, "--device", "cpu"];
    const command = [...options, "-n", "3", process.execPath, "bin/crinkle.js", ...args];
    const { stdout } = await promisify(execFile)(program, command);
    const launched = JSON.parse(stdout) as Result;
    expect(numbersOf(launched)).toEqual(numbersOf(await resultOf<Result>(args)));
    expect([launched.neighbors, launched.ranks.length]).toEqual([1600, 3]);
  });

  // The tree is built by sorts over all ranks.
  const kills = process.env.CRINKLE_SWEEP === "1" ? [0, 150, 300, 450, 600] : [0, 600];
  it.each(kills)(
    "is right all the same where a rank is killed after %i ms or, on a faster machine, fewer",
    async (ms) => {
      const args = ["neighbors", many, "--device", "cpu"];
      const run = await runWithKilledRank(args, ms);
      const result = JSON.parse(run.out) as Result;
      expect(result.ranks.length).toBe(2);
      expect(numbersOf(result)).toEqual(numbersOf(await resultOf<Result>(args)));
    },
  );

  // vtkKdTreePointLocator of VTK 9.1, FindClosestNPoints and FindPointsWithinRadius.
  it("finds the points around positions that VTK finds", async () => {
    const file = folder.file("sixty.csv");
    const rows = Array.from({ length: 60 }, (_, k) =>
      [
        ((7 * k) % 11) + 0.25 * (k % 3),
        ((5 * k) % 13) - 0.5 * (k % 2),
        ((3 * k) % 7) + 0.125 * (k % 5),
        k,
      ].join(),
    );
    await writeFile(file, `x,y,z,id\n${rows.join("\n")}\n`);
    const around = (...args: string[]) =>
      resultOf<{
        readonly results: readonly {
          readonly neighbors: number;
          readonly distance: number | null;
          readonly density: number;
          readonly nearest?: readonly { readonly point: number; readonly values: { readonly id: number } }[];
        }[];
      }>(["neighbors", file, "--at", "4.1,5.2,3.3; -2,20,1", ...args]);
    const { results } = await around("--k", "5");
    expect(results.map(({ nearest }) => nearest?.map(({ point }) => point))).toEqual([
      [43, 32, 48, 27, 40],
      [5, 44, 57, 49, 10],
    ]);
    expect(results[0].nearest?.map(({ values }) => values.id)).toEqual([43, 32, 48, 27, 40]);
    expect(results[0].distance).toBeCloseTo(2.579244075305786, 6);
    expect(results[1].distance).toBeCloseTo(11.002840542332693, 6);
    expect(results[0].density / (5 / ((4 / 3) * Math.PI * 2.579244075305786 ** 3))).toBeCloseTo(1, 6);
    const out = folder.file("around.csv");
    const within = await around("--radius", "3", "--out", out);
    expect(within.results).toMatchObject([{ neighbors: 6 }, { neighbors: 0, distance: null, density: 0 }]);
    const pairs = (await readFile(out, "utf8")).trim().split("\n").slice(1);
    const ids = pairs.map((line) => Number(line.split(",")[1]));
    expect(ids.toSorted((a, b) => a - b)).toEqual([24, 27, 32, 40, 43, 48]);
    const ranked = await runCrinkle(["neighbors", file, "--at", "0,0,0", "--ranks", "2"]);
    expect([ranked.code, ranked.err]).toEqual([
      2,
      expect.stringContaining("Both --at and --ranks are given."),
    ]);
  });

  it("says what is wrong with the file or the numbers", async () => {
    const grid = await runCrinkle(["neighbors", folder.ball, "--device", "cpu"]);
    expect([grid.code, grid.err]).toEqual([1, expect.stringContaining("is a grid, not a set of points")]);
    const none = await runCrinkle(["neighbors", few, "--k", "0", "--device", "cpu"]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("0 neighbours at any distance")]);
    const format = await runCrinkle(["neighbors", few, "--out", "pairs.txt"]);
    expect([format.code, format.err]).toEqual([2, expect.stringContaining(".csv, .npy, .vtp")]);
  });
});
