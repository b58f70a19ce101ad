import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { TestFolder } from "../testing/cli-data.ts";
import { resultOf, runCrinkle, sharedPath } from "../testing/run-crinkle.ts";

interface Sampled {
  readonly points: number;
  readonly inside: number;
  readonly at?: readonly (readonly number[])[];
  readonly distance?: readonly number[];
  readonly results: readonly {
    readonly field: string;
    readonly min: number;
    readonly max: number;
    readonly mean: number;
    readonly values?: readonly (number | null | readonly (number | null)[])[];
  }[];
}

const folder = new TestFolder();
const cpu = ["--device", "cpu"];

describe("crinkle probe", () => {
  // vtkProbeFilter of VTK 9.1, which interpolates in f32.
  it("has the values of VTK's at positions", async () => {
    const path = sharedPath("carotid.vtk");
    if (!path) return;
    const at = "110.25,90.5,30.7; 120,80.125,20; 130.9,100.3,44.2; 0,0,0";
    const { points, inside, results, ...rest } = await resultOf<Sampled>(["probe", path, "--at", at]);
    expect([points, inside, rest.at?.[1]]).toEqual([4, 3, [120, 80.125, 20]]);
    const [scalars, vectors] = results;
    expect([scalars.field, vectors.field]).toEqual(["scalars", "vectors"]);
    const expected = [132.3874969482422, 17.125, 138.0019989013672];
    for (const [i, value] of expected.entries()) expect(scalars.values?.[i]).toBeCloseTo(value, 4);
    const velocity = [0.0134447505697608, -0.011381249874830246, 0.027801750227808952];
    expect(vectors.values?.[1]).toEqual(velocity.map((value) => expect.closeTo(value, 8)));
    expect([scalars.values?.[3], vectors.values?.[3]]).toEqual([null, [null, null, null]]);
    expect([scalars.min, scalars.max]).toEqual([17.125, expect.closeTo(138.002, 9)]);
  });

  it("takes what is linear exactly, on an uneven grid, at the points of a file", async () => {
    const [file, out] = [folder.file("where.csv"), folder.file("taken.csv")];
    const rows = [
      [0.3, -0.4, 5.7],
      [4.5, 2, 10],
      [3, 0, 6.25],
      [4.6, 0, 6],
    ];
    await writeFile(file, `x,y,z,id\n${rows.map((row, i) => [...row, i].join()).join("\n")}\n`);
    const printed = await resultOf<Sampled>([
      ...["probe", folder.shear, "--points", file, "--expr", "top = max(v[0]); half = v / 2"],
      ...["--field", "half,top", "--out", out, ...cpu],
    ]);
    expect(printed).toMatchObject({
      points: 4,
      inside: 3,
      results: [{ field: "half", of: "magnitude" }, { number: "top" }],
    });
    expect(printed.at).toBeUndefined();
    const [names, ...taken] = (await readFile(out, "utf8")).trim().split("\n");
    expect(names).toBe("x,y,z,id,half:0,half:1,half:2,inside");
    for (const [i, [x, y, z]] of rows.slice(0, 3).entries()) {
      const got = taken[i].split(",").map(Number);
      const expected = [2 * y - z, 3 * z + x, 5 * x].map((value) => expect.closeTo(value / 2, 5));
      expect(got).toEqual([x, y, z, i, ...expected, 1]);
    }
    expect(taken[3]).toBe("4.6,0,6,3,nan,nan,nan,0");
  });

  it.each([
    [["--at", "1,2"], 2, "The option --at is “1,2”, which is not 3 numbers separated by commas."],
    [["--at", ";"], 2, "The option --at is “;”. Write positions as X,Y,Z or X,Y,Z; X,Y,Z."],
    [[], 2, "The option --at or --points is missing."],
    [["--at", "0,0,0", "--points", "a.csv"], 2, "Both --at and --points are given."],
    [
      ["--at", "0,0,0", "--out", "a.vti"],
      2,
      "The format of “a.vti” is unknown. --out takes a file named .csv, .vtp.",
    ],
    [
      ["--at", "0,0,0", "--field", "speed"],
      1,
      "There is no field “speed”. The fields are “distance”, “flow field”.",
    ],
    [["--at", "0,0,0", "--expr", "2 * distence"], 1, "Did you mean distance?"],
  ])("refuses %j", async (args, code, message) => {
    const refused = await runCrinkle(["probe", folder.ball, ...args, ...cpu]);
    expect([refused.code, refused.out, refused.err]).toEqual([code, "", expect.stringContaining(message)]);
  });
});

describe("crinkle line", () => {
  // vtkLineSource with vtkProbeFilter of VTK 9.1; means and maxima by numpy.
  it("has the values of VTK's along a line that begins outside", async () => {
    const path = sharedPath("carotid.vtk");
    if (!path) return;
    const ends = ["--from", "90,80,10", "--to", "170,120,45"];
    const { points, inside, distance, results } = await resultOf<Sampled>([
      ...["line", path, ...ends, "--field", "scalars,vectors", ...cpu],
    ]);
    expect([points, inside]).toEqual([101, 88]);
    expect(distance?.[100]).toBeCloseTo(Math.hypot(80, 40, 35), 10);
    const [scalars, vectors] = results;
    expect(scalars.mean).toBeCloseTo(102.90763642571189, 4);
    expect(scalars.max).toBeCloseTo(139.6439971923828, 4);
    expect(scalars.values?.[50]).toBeCloseTo(58, 9);
    expect(vectors.mean).toBeCloseTo(0.004875053951680149, 8);
    expect(vectors.max).toBeCloseTo(0.019662821450345997, 8);
    expect(scalars.values?.[0]).toBeNull();
  });

  it("writes positions, distances and values", async () => {
    const out = folder.file("line.vtp");
    const ends = ["--from", "-2,0,0", "--to", "2,0,0", "--samples", "5"];
    await resultOf<Sampled>(["line", folder.ball, ...ends, "--field", "distance", "--out", out]);
    const { columns, points } = await resultOf<{
      readonly points: { readonly bounds: readonly number[] };
      readonly columns: readonly { readonly name: string; readonly mean: number }[];
    }>(["info", out]);
    expect(points).toMatchObject({ count: 5, bounds: [-2, 2, 0, 0, 0, 0] });
    expect(columns.map(({ name, mean }) => [name, mean])).toEqual([
      ["distance", 2],
      ["distance (field)", 1.2],
      ["inside", 1],
    ]);
    const { code, err } = await runCrinkle(["line", folder.ball, ...ends.slice(0, 4), "--samples", "1"]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("--samples is 1. Give a whole number from 2 on."),
    ]);
  });
});
