import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import type { Grid } from "../../core/grid.ts";
import { devices, type Evaluated, gpu, type Info, n, nodeField, TestFolder } from "../testing/cli-data.ts";
import { resultOf, runCrinkle, sharedPath, spawnCrinkle } from "../testing/run-crinkle.ts";

const folder = new TestFolder();

describe.each(devices)("crinkle eval on the %s", (device, env) => {
  const evaluate = (...args: string[]) => resultOf<Evaluated>(["eval", ...args, "--device", device], env);

  it("computes a derivative exactly where the field is linear", async () => {
    const got = await evaluate(folder.shear, "w = curl(v); magnitude(w)", "--field", "spin");
    const expected = Math.hypot(-3, -6, -1);
    expect(got).toMatchObject({ field: "spin", components: 1, centering: "node", nan: 0, device });
    expect([got.min, got.max, got.mean].every((value) => Math.abs(value - expected) < 1e-5)).toBe(true);
    expect(got.ms).toBeGreaterThan(0);
    const isGpu = device === "gpu";
    expect([got.kernels, got.uploads, got.downloads]).toEqual(isGpu ? [1, 2, 0] : [0, 0, 0]);
    if (isGpu) expect(got.peakBytes).toBeGreaterThanOrEqual(4 * 60 * 4);
  });

  it("reports the statement that --field names, quoted names included", async () => {
    const text = `d = divergence("flow field")\nm = magnitude("flow field")`;
    const got = await evaluate(folder.ball, text, "--field", "d");
    expect(got.field).toBe("d");
    expect(Math.max(Math.abs(got.min), Math.abs(got.max))).toBeLessThan(1e-5);
  });

  it("counts NaN and infinities, and leaves them out of the range", async () => {
    const got = await evaluate(folder.shear, "if x == 0 then x / 0 else ln(y + 1)");
    expect(got).toMatchObject({ nan: 15, infinite: 15, min: 0, max: expect.closeTo(Math.log(3), 6) });
  });

  it("prints a histogram's edges and counts", async () => {
    const { histogram, edges, counts, ...rest } = await resultOf<Record<string, unknown>>(
      ["eval", folder.ball, "h = histogram(distance, 3, 0, 3)", "--json", "--device", device],
      env,
    );
    expect([histogram, edges, rest.device]).toEqual(["h", [0, 1, 2, 3], device]);
    const expected = [0, 0, 0];
    for (let i = 0; i < n ** 3; i++) {
      const [x, y, z] = [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)].map((k) => k / 4 - 2);
      const distance = Math.hypot(x, y, z);
      if (distance <= 3) expected[Math.min(2, Math.floor(distance))]++;
    }
    expect(counts).toEqual(expected);
  });

  // vtkGradientFilter of VTK 9.1 with ComputeQCriterionOn; range and mean by numpy.
  it("agrees with VTK on the Q-criterion of a real flow", async () => {
    const path = sharedPath("carotid.vtk");
    if (!path) return;
    const got = await evaluate(path, "q = q_criterion(vectors)");
    expect(got.min / -137.65818786621094).toBeCloseTo(1, 6);
    expect(got.max / 25.588272094726562).toBeCloseTo(1, 6);
    expect(got.mean).toBeCloseTo(-0.04170759390147447, 6);
  });
});

describe("crinkle eval of several statements", () => {
  const cpu = ["--device", "cpu"];
  const text = `w = magnitude("flow field"); half = distance / 2; top = max(distance); double = 2 * w`;

  it("prints all results, and writes those that are fields, with those of the file", async () => {
    const out = folder.file("several.vti");
    const { results } = await resultOf<{ results: readonly Evaluated[] }>([
      ...["eval", folder.ball, text, "--keep", "--out", out, ...cpu],
    ]);
    const most = Math.fround(Math.hypot(2, 2, 2));
    expect(results).toEqual([
      expect.objectContaining({ field: "half", max: most / 2 }),
      { number: "top", value: most },
      expect.objectContaining({ field: "double", max: expect.closeTo(2 * Math.hypot(2, 2, 4), 5) }),
    ]);
    const { fields } = await resultOf<Info>(["info", out]);
    expect(fields.map(({ name, max }) => [name, max])).toEqual([
      ["distance", most],
      ["flow field", expect.closeTo(Math.hypot(2, 2, 4), 5)],
      ["half", most / 2],
      ["double", results[2].max],
    ]);
    const chosen = await resultOf<typeof results>(["eval", folder.ball, text, "--field", "w, top", ...cpu]);
    expect(chosen).toMatchObject({ results: [{ field: "w" }, { number: "top" }] });
  });

  it("reads the expression from a file and from standard input", async () => {
    const file = folder.file("text.expr");
    await writeFile(file, `# the distance, twice\nd = 2 * distance\nd + 1\n`);
    const fromFile = await resultOf<Evaluated>(["eval", folder.ball, `@${file}`, ...cpu]);
    expect([fromFile.min, fromFile.max]).toEqual([1, 1 + Math.fround(2 * Math.fround(Math.hypot(2, 2, 2)))]);
    const { stdout } = spawnSync(
      process.execPath,
      ["bin/crinkle.js", "isosurface", folder.ball, "--expr", "-", "--value", "2", ...cpu],
      { input: "2 * distance", encoding: "utf8" },
    );
    expect(JSON.parse(stdout).bounds[1]).toBeCloseTo(1, 5);
  });

  it.each([
    [["--keep"], 2, "--keep is given without --out."],
    [["--keep", "--out", "a.npy"], 2, "“a.npy” holds one array. Leave --keep out, or write another format."],
    [
      ["--out", "a.csv"],
      2,
      "“ball.vti” holds a grid, which .csv files do not. --out takes a file named .vti",
    ],
    [
      ["--out", "a.npy"],
      1,
      "“a.npy” holds one array, and the results are half, double. Choose one by --field",
    ],
    [["--field", "half,dubble"], 1, "called “dubble”. Did you mean “double”?"],
    [["--k", "3"], 2, "“ball.vti” holds a grid, and --k and --radius are for points."],
  ])("refuses %j", async (args, code, message) => {
    const refused = await runCrinkle(["eval", folder.ball, text, ...args, ...cpu]);
    expect([refused.code, refused.out, refused.err]).toEqual([code, "", expect.stringContaining(message)]);
  });

  it("says which file is missing or has no expression", async () => {
    const gone = await runCrinkle(["eval", folder.ball, "@gone.expr"]);
    expect([gone.code, gone.err]).toEqual([1, "There is no file “gone.expr”. Check the path.\n"]);
    const empty = folder.file("empty.expr");
    await writeFile(empty, "\n");
    const { code, err } = await runCrinkle(["eval", folder.ball, `@${empty}`]);
    expect([code, err]).toEqual([2, expect.stringContaining("empty.expr” holds no expression.")]);
  });
});

describe("crinkle eval on points", () => {
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 2, 0],
    [0, 0, 3],
    [9, 9, 9],
  ];
  const cpu = ["--device", "cpu"];

  it("computes with columns, coordinates and what is around each point", async () => {
    const [file, out] = [folder.file("few.csv"), folder.file("around.csv")];
    await writeFile(file, `x,y,z,mass\n${points.map((p, i) => [...p, i].join()).join("\n")}\n`);
    const text = "heavy = mass + coords[0]; rho = density; n = neighbors; far = distance";
    await resultOf(["eval", file, text, "--k", "2", "--keep", "--out", out, ...cpu]);
    const [names, ...rows] = (await readFile(out, "utf8")).trim().split("\n");
    expect(names).toBe("x,y,z,mass,heavy,rho,n,far");
    for (const [i, row] of rows.entries()) {
      const [, , , mass, heavy, density, neighbors, distance] = row.split(",").map(Number);
      const others = points
        .filter((_, j) => j !== i)
        .map((p) => Math.hypot(...p.map((c, k) => c - points[i][k])));
      const second = others.toSorted((a, b) => a - b)[1];
      expect([mass, heavy, neighbors]).toEqual([i, i + points[i][0], 2]);
      expect(distance).toBeCloseTo(second, 5);
      expect(density / (2 / ((4 / 3) * Math.PI * second ** 3))).toBeCloseTo(1, 5);
    }
    const within = await resultOf<Evaluated>(["eval", file, "neighbors", "--radius", "2.5", ...cpu]);
    expect([within.min, within.max]).toEqual([0, 2]);
  });

  it("says what points do not have", async () => {
    const file = folder.file("few.csv");
    const gradient = await runCrinkle(["eval", file, "grad(mass)", ...cpu]);
    expect([gradient.code, gradient.err]).toEqual([1, expect.stringContaining("needs a grid")]);
    const grid = await runCrinkle(["eval", file, "mass", "--out", "a.vti", ...cpu]);
    expect([grid.code, grid.err]).toEqual([2, expect.stringContaining("“few.csv” holds points, which .vti")]);
    const none = await runCrinkle(["eval", file, "density", "--k", "0.5", ...cpu]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("0.5 neighbours at any distance")]);
  });
});

it("crinkle eval prints numbers and vectors", async () => {
  const print = (text: string) => resultOf<object>(["eval", folder.ball, text, "--device", "cpu"]);
  const most = Math.fround(Math.hypot(2, 2, 2));
  expect(await print("m = 2 * max(distance)")).toMatchObject({ number: "m", value: 2 * most });
  expect(await print("argmax(distance)")).toMatchObject({ vector: "result", value: [-2, -2, -2] });
});

it("crinkle eval explains that strategies do not apply to a CPU", async () => {
  const args = ["eval", folder.shear, "magnitude(v)", "--strategy", "staged", "--device", "cpu"];
  const { code, out, err } = await runCrinkle(args);
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ device: "cpu", kernels: 0 })]);
  expect(err).toContain("The CPU has one way to compute; the strategy staged is the GPU's.");
});

describe("crinkle eval by strategies", () => {
  const text = "w = curl(v); magnitude(w)";
  const evaluate = (...args: string[]) =>
    resultOf<Evaluated & { strategy: string; blocks: number; reason?: string }>(
      ["eval", folder.shear, text, ...args, "--device", "gpu"],
      gpu,
    );

  it("prints what each strategy moves, and gives the same values", async () => {
    const expected = Math.hypot(-3, -6, -1);
    for (const [strategy, kernels, uploads, downloads] of [
      ["fusion", 1, 2, 1],
      ["staged", 3, 2, 1],
      ["roundtrip", 3, 4, 3],
    ] as const) {
      const got = await evaluate("--strategy", strategy);
      expect(got).toMatchObject({ strategy, kernels, uploads, downloads, blocks: 1, device: "gpu" });
      expect([got.min, got.max, got.mean].every((value) => Math.abs(value - expected) < 1e-5)).toBe(true);
    }
  });

  it("streams what does not fit, and says so", async () => {
    const whole = await evaluate("--strategy", "fusion");
    const got = await evaluate("--memory", String(whole.peakBytes - 1));
    expect(got).toMatchObject({ strategy: "streamed" });
    expect(got.blocks).toBeGreaterThan(1);
    expect(got.reason).toMatch(/^streamed moves .+, the fastest of those that fit; fusion would hold \d/);
    expect(got.peakBytes).toBeLessThan(whole.peakBytes);
    const few = ["--memory", "10B", "--device", "gpu"];
    const { code, err } = await spawnCrinkle(["eval", folder.shear, text, ...few], gpu);
    expect([code, err]).toEqual([1, expect.stringContaining("No strategy computes this within 10\u00a0B")]);
  });
});

describe("on the CPU", () => {
  it("shares long work among the cores, with the same result, and ends", async () => {
    const m = 96;
    const grid: Grid = { kind: "uniform", dims: [m, m, m], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const fields = [nodeField(grid, "f", 1, ([x, y, z]) => [x * x + y * z])];
    const large = await folder.write("large.vti", { name: "large", grid, fields, notes: [] });
    const evaluate = (text: string) =>
      resultOf<Evaluated & { threads: number }>(["eval", large, text, "--device", "cpu"]);
    const smooth = await evaluate("gaussian(laplacian(f), 2)");
    expect(smooth.threads).toBe(Math.min(availableParallelism(), 32));
    expect([smooth.min, smooth.max, smooth.nan]).toEqual([expect.closeTo(2, 6), expect.closeTo(2, 6), 0]);
    expect(
      (await resultOf<{ threads: number }>(["eval", folder.ball, "2 * distance", "--device", "cpu"])).threads,
    ).toBe(1);
  });
});
