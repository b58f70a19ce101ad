import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { DataSet } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import { writeVti, writeVtr } from "../data/write/vtk-xml.ts";
import { gpuEnvironment, resultOf, runCrinkle, sharedPath } from "./testing/run-crinkle.ts";

// Dawn on a software driver compiles for seconds.
vi.setConfig({ testTimeout: 60_000 });

interface Info {
  readonly grid: Record<string, unknown>;
  readonly fields: readonly Record<string, unknown>[];
}

interface Evaluated {
  readonly field: string;
  readonly components: number;
  readonly centering: string;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly nan: number;
  readonly infinite: number;
  readonly device: string;
  readonly kernels: number;
  readonly uploads: number;
  readonly downloads: number;
  readonly peakBytes: number;
  readonly ms: number;
}

interface Surface {
  readonly triangles: number;
  readonly vertices: number;
  readonly area: number;
  readonly bounds: readonly number[] | null;
  readonly device: string;
  readonly ms: number;
}

const n = 17;
let folder: string;
let ball: string;
let shear: string;
const gpu = await gpuEnvironment();
const devices: readonly [string, Record<string, string>][] = [
  ["cpu", {}],
  ["gpu", gpu],
];

function nodeField(grid: Grid, name: string, components: number, values: (p: number[]) => number[]) {
  const [nx, ny, nz] = grid.dims;
  const at = (axis: number, i: number) =>
    grid.kind === "uniform" ? grid.origin[axis] + i * grid.spacing[axis] : grid.axes[axis][i];
  const data = new Float32Array(nx * ny * nz * components);
  let next = 0;
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        data.set(values([at(0, i), at(1, j), at(2, k)]), next);
        next += components;
      }
  return { name, centering: "node", components, dtype: "f32", data } as const;
}

async function write(name: string, dataSet: DataSet): Promise<string> {
  const path = join(folder, name);
  const chunks = name.endsWith(".vti") ? await writeVti(dataSet, noJob) : await writeVtr(dataSet, noJob);
  await writeFile(path, Buffer.concat(chunks));
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-cli-"));
  const grid: Grid = { kind: "uniform", dims: [n, n, n], origin: [-2, -2, -2], spacing: [0.25, 0.25, 0.25] };
  ball = await write("ball.vti", {
    name: "ball",
    grid,
    fields: [
      nodeField(grid, "distance", 1, (p) => [Math.hypot(...p)]),
      nodeField(grid, "flow field", 3, ([x, y, z]) => [x, y, -2 * z]),
    ],
    notes: [],
  });
  const axes = [
    [0, 1, 3, 4.5],
    [-1, 0, 2],
    [5, 6, 6.5, 9, 10],
  ].map((axis) => Float64Array.from(axis));
  const uneven: Grid = {
    kind: "rectilinear",
    dims: [4, 3, 5],
    axes: axes as unknown as [Float64Array, Float64Array, Float64Array],
  };
  shear = await write("shear.vtr", {
    name: "shear",
    grid: uneven,
    fields: [nodeField(uneven, "v", 3, ([x, y, z]) => [2 * y - z, 3 * z + x, 5 * x])],
    notes: [],
  });
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

describe("crinkle info", () => {
  it("prints a uniform grid and its fields", async () => {
    const info = await resultOf<Info>(["info", ball]);
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
  });

  it("prints points and their columns", async () => {
    const path = join(folder, "points.csv");
    await writeFile(path, "x,y,heat\n0,1,5\n2,-3,\n4,0,7\n");
    expect(await resultOf<unknown>(["info", path])).toEqual({
      points: { count: 3, dimensions: 2, bounds: [0, 4, -3, 1, 0, 0] },
      columns: [{ name: "heat", components: 1, dtype: "f64", min: 5, max: 7, mean: 6, nan: 1, infinite: 0 }],
    });
  });

  it("prints a rectilinear grid's axes", async () => {
    const { grid } = await resultOf<Info>(["info", shear]);
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

describe.each(devices)("crinkle eval on the %s", (device, env) => {
  const evaluate = (...args: string[]) => resultOf<Evaluated>(["eval", ...args, "--device", device], env);

  it("computes a derivative exactly where the field is linear", async () => {
    const got = await evaluate(shear, "w = curl(v); magnitude(w)", "--field", "spin");
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
    const got = await evaluate(ball, text, "--field", "d");
    expect(got.field).toBe("d");
    expect(Math.max(Math.abs(got.min), Math.abs(got.max))).toBeLessThan(1e-5);
  });

  it("counts NaN and infinities, and leaves them out of the range", async () => {
    const got = await evaluate(shear, "if x == 0 then x / 0 else ln(y + 1)");
    expect(got).toMatchObject({ nan: 15, infinite: 15, min: 0, max: expect.closeTo(Math.log(3), 6) });
  });

  it("prints a histogram's edges and counts", async () => {
    const { histogram, edges, counts, ...rest } = await resultOf<Record<string, unknown>>(
      ["eval", ball, "h = histogram(distance, 3, 0, 3)", "--json", "--device", device],
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

it("crinkle eval prints numbers and vectors", async () => {
  const print = (text: string) => resultOf<object>(["eval", ball, text, "--device", "cpu"]);
  const most = Math.fround(Math.hypot(2, 2, 2));
  expect(await print("m = 2 * max(distance)")).toMatchObject({ number: "m", value: 2 * most });
  expect(await print("argmax(distance)")).toMatchObject({ vector: "result", value: [-2, -2, -2] });
});

it("crinkle eval explains that strategies do not apply to a CPU", async () => {
  const args = ["eval", shear, "magnitude(v)", "--strategy", "staged", "--device", "cpu"];
  const { code, out, err } = await runCrinkle(args);
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ device: "cpu", kernels: 0 })]);
  expect(err).toContain("The CPU has one way to compute; the strategy staged is the GPU's.");
});

describe("crinkle eval by strategies", () => {
  const text = "w = curl(v); magnitude(w)";
  const evaluate = (...args: string[]) =>
    resultOf<Evaluated & { strategy: string; blocks: number; reason?: string }>(
      ["eval", shear, text, ...args],
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
    const { code, err } = await runCrinkle(["eval", shear, text, "--memory", "10B"], gpu);
    expect([code, err]).toEqual([1, expect.stringContaining("No strategy computes this with 10 B")]);
  });
});

describe("on the CPU", () => {
  it("shares long work among the cores, with the same result, and ends", async () => {
    const m = 96;
    const grid: Grid = { kind: "uniform", dims: [m, m, m], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const fields = [nodeField(grid, "f", 1, ([x, y, z]) => [x * x + y * z])];
    const large = await write("large.vti", { name: "large", grid, fields, notes: [] });
    const evaluate = (text: string) =>
      resultOf<Evaluated & { threads: number }>(["eval", large, text, "--device", "cpu"]);
    const smooth = await evaluate("gaussian(laplacian(f), 2)");
    expect(smooth.threads).toBe(Math.min(availableParallelism(), 32));
    expect([smooth.min, smooth.max, smooth.nan]).toEqual([expect.closeTo(2, 6), expect.closeTo(2, 6), 0]);
    expect(
      (await resultOf<{ threads: number }>(["eval", ball, "2 * distance", "--device", "cpu"])).threads,
    ).toBe(1);
  });
});

describe("files that crinkle writes", () => {
  const run = <Result = Evaluated>(...args: string[]) => resultOf<Result>([...args, "--device", "cpu"]);

  it("writes fields that it reads again", async () => {
    for (const extension of ["vti", "vtr"]) {
      const out = join(folder, `made.${extension}`);
      await run("eval", ball, "2 * distance", "--field", "twice", "--out", out);
      const { grid, fields } = await resultOf<Info>(["info", out]);
      expect(grid.dims).toEqual([n, n, n]);
      expect(fields[0]).toMatchObject({ name: "twice", components: 1, centering: "node", min: 0 });
      expect(fields[0].max).toBeCloseTo(2 * Math.hypot(2, 2, 2), 5);
    }
    const npy = join(folder, "made.npy");
    await run("eval", ball, `"flow field"`, "--out", npy);
    const bytes = await readFile(npy);
    const header = bytes.subarray(10, 10 + bytes.readUInt16LE(8)).toString();
    expect(header).toContain(`'descr': '<f4', 'fortran_order': False, 'shape': (${n}, ${n}, ${n}, 3)`);
    expect(bytes.readFloatLE(10 + header.length)).toBe(-2);
  });

  it("takes an expression and a negative isovalue, and writes coloured PLY and glTF, and STL", async () => {
    const ply = join(folder, "made.ply");
    const args = [ball, "--value", "-1.5", "--expr", "-distance"];
    const got = await run<Surface>(
      "isosurface",
      ...args,
      "--color-by",
      `magnitude("flow field")`,
      "--out",
      ply,
    );
    const head = (await readFile(ply)).subarray(0, 600).toString("latin1");
    expect(head).toContain(`element vertex ${got.vertices}\n`);
    expect(head).toContain(`element face ${got.triangles}\n`);
    expect(head).toContain("property uchar red\n");
    const stl = join(folder, "made.stl");
    await run<Surface>("isosurface", ...args, "--out", stl);
    const bytes = await readFile(stl);
    expect([bytes.readUInt32LE(80), bytes.length]).toEqual([got.triangles, 84 + 50 * got.triangles]);
    const glb = join(folder, "made.glb");
    await run<Surface>("isosurface", ...args, "--color-by", `"flow field"[0]`, "--out", glb);
    const json = (await readFile(glb)).subarray(20, 1600).toString("latin1");
    expect(json).toContain(`"scalar":"flow field[0]"`);
    expect(json).toContain(`"COLOR_0"`);
    const vtp = join(folder, "made.vtp");
    await run<Surface>("isosurface", ...args, "--all-fields", "--out", vtp);
    const xml = (await readFile(vtp)).subarray(0, 2000).toString("latin1");
    expect(xml).toMatch(/Name="flow field" NumberOfComponents="3".*\n<\/PointData>/);
    expect(xml).toMatch(/<CellData>\n.*Type="Int64" Name="vtkOriginalCellIds"/i);
  });
});

describe.each(devices)("crinkle isosurface on the %s", (device, env) => {
  const contour = (...args: string[]) => resultOf<Surface>(["isosurface", ...args, "--device", device], env);

  it("finds a sphere's area and bounds", async () => {
    const got = await contour(ball, "--value", "1.5", "--field", "distance");
    expect(Object.keys(got)).toEqual(["triangles", "vertices", "area", "bounds", "device", "ms"]);
    expect(got.device).toBe(device);
    expect(Math.abs(got.area / (4 * Math.PI * 1.5 ** 2) - 1)).toBeLessThan(0.02);
    // A closed surface of genus 0 has two triangles a vertex, less four.
    expect(got.triangles).toBe(2 * got.vertices - 4);
    expect(got.bounds?.every((b, i) => Math.abs(b - (i % 2 ? 1.5 : -1.5)) < 1e-5)).toBe(true);
    const soup = await contour(ball, "--value", "1.5", "--field", "distance", "--soup", "flat");
    expect([soup.triangles, soup.vertices]).toEqual([got.triangles, 3 * got.triangles]);
    expect(soup.area).toBeCloseTo(got.area, 4);
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

  it("writes the scalars of what it cuts", async () => {
    const vtp = join(folder, "cut.vtp");
    const cut = ["cut", ball, "--plane", "0,0,0,0,0,1", "--color-by", "distance", "--all-fields"];
    const got = await surface(...cut, "--out", vtp);
    const xml = (await readFile(vtp)).subarray(0, 2000).toString("latin1");
    expect(xml).toContain(`NumberOfPoints="${got.vertices}"`);
    expect(xml).toMatch(/Name="distance"/);
  });
});

describe("crinkle", () => {
  it("makes isosurfaces with the topology that is asked for", async () => {
    const grid: Grid = { kind: "uniform", dims: [2, 2, 2], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const corners = [2, -0.25, -0.25, -0.25, -0.25, -0.25, -0.25, 2];
    const saddle = await write("saddle.vti", {
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
    const args = ["isosurface", ball, "--value", "9", "--field", "distance", "--device", "cpu"];
    const { code, out, err } = await runCrinkle(args);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ triangles: 0, vertices: 0, area: 0, bounds: null });
    expect(err).toContain("The isovalue 9 lies outside the field's range 0 … 3.464: the surface is empty.");
  });

  it("prints its version and its commands", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(await runCrinkle(["--version"])).toMatchObject({ code: 0, out: `${version}\n` });
    const { code, out } = await runCrinkle(["--help"]);
    expect(code).toBe(0);
    for (const command of ["info", "eval", "isosurface", "cut", "slice", "threshold", "serve"])
      expect(out).toContain(`crinkle ${command}`);
    expect((await runCrinkle(["eval", "--help"])).out).toContain("--device");
  });

  it.each([
    [[], "A command is missing."],
    [["evl"], "There is no command “evl”. Did you mean eval?"],
    [["info"], "The argument FILE is missing.\nUsage: crinkle info FILE"],
    [["eval", "a.vti", "1", "--device", "tpu"], "The option --device is “tpu”. It can be auto, gpu, cpu."],
    [["eval", "a.vti", "1", "--out", "a.txt"], "The format of “a.txt” is unknown."],
    [
      ["isosurface", "a.vti", "--value", "1", "--field", "f", "--topology", "mc"],
      "The option --topology is “mc”. It can be table, trilinear.",
    ],
    [
      ["isosurface", "a.vti", "--value", "1", "--field", "f", "--soup", "welded"],
      "The option --soup is “welded”. It can be smooth, flat.",
    ],
    [
      ["isosurface", "a.vti", "--value", "1", "--field", "f", "--all-fields", "--out", "a.ply"],
      "The option --all-fields is for .vtp files. Give --out a file named .vtp.",
    ],
    [["isosurface", "a.vti", "--field", "f"], "The option --value is missing."],
    [["cut", "a.vti"], "The option --plane or --sphere is missing."],
    [["cut", "a.vti", "--plane", "0,0,0"], "“0,0,0”, which is not 6 numbers separated by commas."],
    [["cut", "a.vti", "--sphere", "0,0,0,-1"], "The option --sphere has the radius -1."],
    [["slice", "a.vti", "--axis", "w", "--position", "1"], "The option --axis is “w”. It can be x, y, z."],
    [["slice", "a.vti", "--axis", "x"], "The option --position is missing."],
    [["threshold", "a.vti", "--field", "f", "--range", "2,1"], "The option --range goes from 2 to 1."],
    [["isosurface", "a.vti", "--value", "1"], "The option --field or --expr is missing."],
    [["isosurface", "a.vti", "--value", "high", "--field", "f"], "“high”, which is not a number."],
    [
      ["isosurface", "a.vti", "--value", "1", "--field", "f", "--expr", "g"],
      "Both --field and --expr are given.",
    ],
  ])("refuses %j with exit code 2", async (args, message) => {
    const { code, out, err } = await runCrinkle(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  it("refuses bad input with exit code 1 and a sentence", async () => {
    const empty = join(folder, "empty.vti");
    await writeFile(empty, "");
    const cut = join(folder, "cut.vti");
    await writeFile(cut, (await readFile(ball)).subarray(0, 5000));
    const cases: [string[], RegExp][] = [
      [["info", join(folder, "gone.vti")], /^There is no file “.*gone\.vti”\. Check the path\.\n$/],
      [["info", folder], /is a folder\. Give the path of a file\./],
      [["info", empty], /“empty\.vti” is empty \(0 bytes\)\./],
      [["info", cut], /cut\.vti/],
      [["eval", ball, "distence * 2", "--device", "cpu"], /distence.*Did you mean distance\?/],
      [["eval", ball, "w = (distance", "--device", "cpu"], /A closing \) is missing .* line 1, column 5/],
      [["eval", ball, "curl(distance)", "--device", "cpu"], /given a scalar.*It takes a vector/],
      [["eval", ball, "a = distance", "--field", "b", "--device", "cpu"], /called “b”\. Did you mean “a”\?/],
      [
        ["eval", ball, "distance", "--out", join(folder, "no", "a.npy"), "--device", "cpu"],
        /could not be written/,
      ],
      [
        ["eval", ball, "m = median(distance)", "--out", join(folder, "m.vti"), "--device", "cpu"],
        /“m” is the same everywhere, not a field/,
      ],
      [["isosurface", ball, "--value", "1", "--field", "flow field", "--device", "cpu"], /vector.*magnitude/],
    ];
    for (const [args, message] of cases) {
      const { code, out, err } = await runCrinkle(args);
      expect([code, out, args], err).toEqual([1, "", args]);
      expect(err.replace("Running on the CPU.\n", "")).toMatch(message);
    }
  });

  it("falls back to the CPU where no GPU is found, and says so; --device gpu refuses", async () => {
    const none = { VK_ICD_FILENAMES: "/nothing", VK_DRIVER_FILES: "/nothing", LD_LIBRARY_PATH: "/nothing" };
    const fallen = await runCrinkle(["eval", ball, "distance"], none);
    expect(fallen.code).toBe(0);
    if (JSON.parse(fallen.out).device === "gpu") return; // a GPU that needs no Vulkan
    expect(fallen.err).toContain("Running on the CPU, because there is no GPU: ");
    const refused = await runCrinkle(["eval", ball, "distance", "--device", "gpu"], none);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("or use --device cpu.");
  });

  it("says where its result could not be written", () => {
    const command = `"${process.execPath}" bin/crinkle.js info "${ball}" > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    expect(stderr).toMatch(
      existsSync("/dev/full") ? /The result could not be written: ENOSPC/ : /\/dev\/full/,
    );
    expect(status).not.toBe(0);
  });

  it("refuses a port that does not exist", async () => {
    const refused = await runCrinkle(["serve", "--port", "99999"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("Ports are whole numbers from 0 (any free one) to 65535.");
  });
});
