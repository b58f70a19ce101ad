import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Grid } from "../../core/grid.ts";
import { devices, nodeField, type Surface, TestFolder } from "../testing/cli-data.ts";
import { stlVolume } from "../testing/read-stl.ts";
import { resultOf, runCrinkle, sharedPath } from "../testing/run-crinkle.ts";

const folder = new TestFolder();

describe.each(devices)("crinkle isosurface on the %s", (device, env) => {
  const contour = (...args: string[]) => resultOf<Surface>(["isosurface", ...args, "--device", device], env);

  it("finds a sphere's area and bounds", async () => {
    const got = await contour(folder.ball, "--value", "1.5", "--field", "distance");
    expect(Object.keys(got)).toEqual(["triangles", "vertices", "area", "bounds", "device", "ms"]);
    expect(got.device).toBe(device);
    expect(Math.abs(got.area / (4 * Math.PI * 1.5 ** 2) - 1)).toBeLessThan(0.02);
    // A closed surface of genus 0 has two triangles a vertex, less four.
    expect(got.triangles).toBe(2 * got.vertices - 4);
    expect(got.bounds?.every((b, i) => Math.abs(b - (i % 2 ? 1.5 : -1.5)) < 1e-5)).toBe(true);
    const soup = await contour(folder.ball, "--value", "1.5", "--field", "distance", "--soup", "flat");
    expect([soup.triangles, soup.vertices]).toEqual([got.triangles, 3 * got.triangles]);
    expect(soup.area).toBeCloseTo(got.area, 4);
  });
});

describe("crinkle isosurface at several isovalues", () => {
  interface Several extends Surface {
    readonly isovalues: readonly (Surface & { readonly value: number; readonly out?: string })[];
  }
  const contour = (...args: string[]) => resultOf<Several>(["isosurface", ...args, "--device", "cpu"]);

  // Triangles and vertices of VTK 9.1's vtkContourFilter.
  it("makes one mesh of all, with the counts of VTK's for each", async () => {
    const path = sharedPath("ironProt.vtk");
    if (!path) return;
    const out = folder.file("all.vtp");
    const got = await contour(path, "--value", "50.5,128.5,200.5", "--field", "scalars", "--out", out);
    expect(got.isovalues.map(({ value, triangles, vertices }) => [value, triangles, vertices])).toEqual([
      [50.5, 30036, 15048],
      [128.5, 14640, 7370],
      [200.5, 9176, 4626],
    ]);
    expect([got.triangles, got.vertices]).toEqual([53852, 27044]);
    expect(got.area).toBe(got.isovalues.reduce((sum, { area }) => sum + area, 0));
    expect(got.bounds).toEqual(got.isovalues[0].bounds);
    const { columns } = await resultOf<{ columns: readonly Record<string, unknown>[] }>(["info", out]);
    const mean = (50.5 * 15048 + 128.5 * 7370 + 200.5 * 4626) / 27044;
    expect(columns.find(({ name }) => name === "isovalue")).toMatchObject({
      min: 50.5,
      max: 200.5,
      mean: expect.closeTo(mean, 9),
    });
  });

  it("writes a file for each where its name has a place for the isovalue", async () => {
    const out = folder.file("at-{value}.stl");
    const got = await contour(folder.ball, "--value", "1,1.5,9", "--field", "distance", "--out", out);
    expect(got.isovalues.map((each) => each.out)).toEqual(
      ["1", "1.5", "9"].map((value) => folder.file(`at-${value}.stl`)),
    );
    for (const { value, triangles, out: file = "" } of got.isovalues) {
      const bytes = await readFile(file);
      expect([bytes.length, bytes.readUInt32LE(80)], String(value)).toEqual([84 + 50 * triangles, triangles]);
      const alone = ["isosurface", folder.ball, "--value", String(value), "--field", "distance"];
      const one = await resultOf<Surface>([...alone, "--device", "cpu"]);
      expect(triangles).toBe(one.triangles);
    }
    const wrong = await runCrinkle(["isosurface", folder.ball, "--value", "1,", "--field", "distance"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("“”, which is not a number")]);
  });
});

describe.each(devices)("surfaces on the %s", (device, env) => {
  const surface = (...args: string[]) => resultOf<Surface>([...args, "--device", device], env);

  // Triangles and areas of VTK 9.1's vtkThreshold with vtkGeometryFilter, vtkCutter and vtkClipPolyData.
  it("has the counts and areas of VTK's on real data", async () => {
    const path = sharedPath("ironProt.vtk");
    if (!path) return;
    const kept = await surface("threshold", path, "--range", "100,255", "--field", "scalars");
    expect(kept).toMatchObject({ triangles: 14116, area: 7058, device });
    const plane = await surface("cut", path, "--plane", "30,31,32,1,2,3", "--color-by", "scalars");
    expect(plane.area).toBeCloseTo(5546.07166, 2);
    const sphere = await surface("cut", path, "--sphere", "30,31,32,20.3");
    expect(sphere).toMatchObject({ triangles: 15656, vertices: 7830 });
    expect(sphere.area).toBeCloseTo(5173.2628, 2);
    const slice = await surface("slice", path, "--axis", "y", "--position", "30.5");
    expect(slice).toMatchObject({ triangles: 2 * 67 * 67, vertices: 68 * 68, area: 67 * 67 });
    const args = ["isosurface", path, "--value", "128.5", "--field", "scalars", "--clip", "30,31,32,1,2,3"];
    const half = await surface(...args);
    expect(Math.abs(half.area / 1929.717 - 1)).toBeLessThan(2e-4);
    expect(half.triangles).toBeLessThan(2 * half.vertices);
  });

  // The volume of vtkClipDataSet's cells; the area of vtkClipPolyData on the outer surface with that of vtkCutter.
  it("clips the grid to a closed solid of VTK's volume and area", async () => {
    const path = sharedPath("ironProt.vtk");
    if (!path) return;
    const clip = (...args: string[]) =>
      resultOf<Surface & { readonly volume: number }>(["clip", ...args, "--device", device], env);
    const got = await clip(path, "--plane", "30,31,32,1,2,3");
    expect(got.volume / 169772.8055389648).toBeCloseTo(1, 6);
    expect(got.area / 20174.404995128385).toBeCloseTo(1, 6);
    expect(got.bounds).toEqual([0, 67, 0, 67, 0, 67]);
    const half = await clip(folder.ball, "--plane", "0.1,0,0,-1,0,0");
    expect(half.volume).toBeCloseTo(2.1 * 16, 5);
    expect(half.area).toBeCloseTo(2 * 16 + 4 * 4 * 2.1, 4);
    expect(half.bounds).toEqual([-2, expect.closeTo(0.1, 6), -2, 2, -2, 2]);
  });

  it("writes the scalars of what it cuts", async () => {
    const vtp = folder.file("cut.vtp");
    const cut = ["cut", folder.ball, "--plane", "0,0,0,0,0,1", "--color-by", "distance", "--all-fields"];
    const got = await surface(...cut, "--out", vtp);
    const xml = (await readFile(vtp)).subarray(0, 2000).toString("latin1");
    expect(xml).toContain(`NumberOfPoints="${got.vertices}"`);
    expect(xml).toMatch(/Name="distance"/);
  });
});

describe.each(devices)("the solids that are written on the %s", (device, env) => {
  const volume = async (...args: string[]) => {
    const stl = folder.file(`solid-${device}.stl`);
    await resultOf<Surface>([...args, "--device", device, "--out", stl], env);
    return stlVolume(stl);
  };

  it("are not inside out, whichever way their files list coordinates, and are if asked for", async () => {
    // Balls of 255 in 0, whose volumes in VTK 9.1, with coordinates that rise, are 109.55 (vtkMassProperties).
    const ball = folder.file("ball.vtk");
    const numbers = (n: number, first: number, step: number) =>
      Array.from({ length: n }, (_, i) => first + i * step);
    const [x, y, z] = [numbers(15, 3.5, -0.5), numbers(17, 10, 0.25), numbers(13, -28, -1)];
    const isInside = (i: number, j: number, k: number) =>
      Math.hypot(i / 3, (j - 12.1) / 1.7, (k + 34.2) / 5) < 1;
    const values = z.flatMap((k) => y.flatMap((j) => x.map((i) => (isInside(i, j, k) ? 255 : 0))));
    const axis = (name: string, at: readonly number[]) =>
      `${name}_COORDINATES ${at.length} double\n${at.join(" ")}\n`;
    const grid = `DIMENSIONS 15 17 13\n${axis("X", x)}${axis("Y", y)}${axis("Z", z)}`;
    const field = `POINT_DATA ${values.length}\nSCALARS f unsigned_char\nLOOKUP_TABLE default\n${values.join(" ")}\n`;
    const head = "# vtk DataFile Version 3.0\nball\nASCII\nDATASET RECTILINEAR_GRID\n";
    await writeFile(ball, `${head}${grid}${field}`);
    const contour = ["isosurface", ball, "--field", "f", "--value", "100"];
    expect(Math.abs((await volume(...contour)) / 109.55426807456551 - 1)).toBeLessThan(5e-3);
    const trilinear = await volume(...contour, "--topology", "trilinear", "--reverse-facets");
    expect(Math.abs(trilinear / -109.55426807456551 - 1)).toBeLessThan(5e-3);
    // Whole cells; a ball of radius 1 by cells of a quarter.
    expect(await volume("threshold", folder.ball, "--field", "distance", "--range", "0,9")).toBeCloseTo(
      64,
      4,
    );
    expect(await volume("cut", folder.ball, "--sphere", "0,0,0,1")).toBeGreaterThan(3.9);
  });
});

describe("crinkle isosurface", () => {
  it("makes isosurfaces with the topology that is asked for", async () => {
    const grid: Grid = { kind: "uniform", dims: [2, 2, 2], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const corners = [2, -0.25, -0.25, -0.25, -0.25, -0.25, -0.25, 2];
    const saddle = await folder.write("saddle.vti", {
      name: "saddle",
      grid,
      fields: [nodeField(grid, "f", 1, ([x, y, z]) => [corners[x + 2 * y + 4 * z]])],
      notes: [],
    });
    const args = ["isosurface", saddle, "--value", "0", "--field", "f", "--device", "cpu"];
    // Two corners cut off, or a tunnel between them.
    for (const [topology, triangles] of [
      ["table", 2],
      ["trilinear", 18],
    ] as const)
      expect(await resultOf<Surface>([...args, "--topology", topology])).toMatchObject({ triangles });
  });

  it("says that a surface outside the range is empty", async () => {
    const args = ["isosurface", folder.ball, "--value", "9", "--field", "distance", "--device", "cpu"];
    const { code, out, err } = await runCrinkle(args);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ triangles: 0, vertices: 0, area: 0, bounds: null });
    expect(err).toContain("The isovalue 9 lies outside the field's range 0 … 3.464: the surface is empty.");
  });
});
