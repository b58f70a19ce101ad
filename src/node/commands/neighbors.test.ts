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

  it("says what is wrong with the file or the numbers", async () => {
    const grid = await runCrinkle(["neighbors", folder.ball, "--device", "cpu"]);
    expect([grid.code, grid.err]).toEqual([1, expect.stringContaining("is a grid, not a set of points")]);
    const none = await runCrinkle(["neighbors", few, "--k", "0", "--device", "cpu"]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("0 neighbours at any distance")]);
    const format = await runCrinkle(["neighbors", few, "--out", "pairs.txt"]);
    expect([format.code, format.err]).toEqual([2, expect.stringContaining(".csv, .npy, .vtp")]);
  });
});
