import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Info, n, TestFolder } from "../testing/cli-data.ts";
import { resultOf, runCrinkle, sharedPath } from "../testing/run-crinkle.ts";

const folder = new TestFolder();

describe("crinkle info", () => {
  it("prints a uniform grid and its fields", async () => {
    const info = await resultOf<Info>(["info", folder.ball]);
    expect(info.grid).toEqual({
      kind: "uniform",
      dims: [n, n, n],
      origin: [-2, -2, -2],
      spacing: [0.25, 0.25, 0.25],
    });
    const [distance, flow] = info.fields;
    expect(Object.keys(distance)).toEqual([
      "name",
      "components",
      "centering",
      "dtype",
      "min",
      "max",
      "mean",
      "nan",
      "infinite",
    ]);
    expect(distance).toMatchObject({
      name: "distance",
      components: 1,
      centering: "node",
      dtype: "f32",
      min: 0,
    });
    expect(flow).toMatchObject({ name: "flow field", components: 3, min: 0, nan: 0 });
    expect(flow.max).toBeCloseTo(Math.hypot(2, 2, 4), 6);
    expect(flow).toMatchObject({
      of: "magnitude",
      componentRanges: [expect.any(Array), expect.any(Array), expect.any(Array)],
    });
  });

  it("prints points and their columns", async () => {
    const path = folder.file("points.csv");
    await writeFile(path, "x,y,heat\n0,1,5\n2,-3,\n4,0,7\n");
    expect(await resultOf<unknown>(["info", path])).toEqual({
      points: { count: 3, dimensions: 2, bounds: [0, 4, -3, 1, 0, 0] },
      columns: [{ name: "heat", components: 1, dtype: "f64", min: 5, max: 7, mean: 6, nan: 1, infinite: 0 }],
    });
  });

  it("reads bare numbers that options describe, and says how to describe them", async () => {
    const numbers = new DataView(new ArrayBuffer(7 + 2 * 24));
    for (let i = 0; i < 24; i++) numbers.setInt16(7 + 2 * i, i - 4);
    const path = folder.file("ct_2x3x4_short.raw");
    await writeFile(path, numbers);
    const described = ["--dims", "2x3x4", "--dtype", "i16", "--order", "big", "--skip", "7"];
    const placed = ["--spacing", "1,1,2.5", "--origin", "0,0,-3"];
    expect(await resultOf<Info>(["info", path, ...described, ...placed])).toMatchObject({
      grid: { kind: "uniform", dims: [2, 3, 4], origin: [0, 0, -3], spacing: [1, 1, 2.5] },
      fields: [{ name: "values", dtype: "i16", min: -4, max: 19, mean: 7.5 }],
    });
    await writeFile(path, new Uint8Array(numbers.buffer, 7));
    const { code, err } = await runCrinkle(["info", path]);
    expect([code, err]).toEqual([
      1,
      "“ct_2x3x4_short.raw” holds bare numbers without a description. " +
        "Give its dimensions and type, as in --dims 2x3x4 --dtype i16, which would fit its size.\n",
    ]);
  });

  it("prints a rectilinear grid's axes", async () => {
    const { grid } = await resultOf<Info>(["info", folder.shear]);
    expect(grid).toMatchObject({ kind: "rectilinear", dims: [4, 3, 5] });
    expect(grid.axes).toEqual([
      [0, 1, 3, 4.5],
      [-1, 0, 2],
      [5, 6, 6.5, 9, 10],
    ]);
  });

  // Ranges and means by numpy over what VTK 9.1's readers give.
  it.each([
    ["carotid.vtk", "vectors", [76, 49, 45], 0, 22.694927991153424, 0.16748736891581445],
    ["ironProt.vtk", "scalars", [68, 68, 68], 0, 255, 13.138258828617952],
    ["vase.vti", "SLCImage", [115, 101, 75], 0, 239, 12.309520447696944],
  ])("agrees with VTK on %s", async (file, name, dims, min, max, mean) => {
    const path = sharedPath(file);
    if (!path) return;
    const info = await resultOf<Info>(["info", path]);
    expect(info.grid.dims).toEqual(dims);
    const field = info.fields.find((candidate) => candidate.name === name);
    expect([field?.min, field?.max]).toEqual([min, max]);
    expect(field?.mean).toBeCloseTo(mean, 9);
  });
});
