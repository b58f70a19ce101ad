import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hasHardwareGpu } from "../../tools/browser.mjs";
import { type Evaluated, gpu, type Info, n, type Surface, TestFolder } from "./testing/cli-data.ts";
import { resultOf, runCrinkle, spawnCrinkle } from "./testing/run-crinkle.ts";

const folder = new TestFolder();

describe("files that crinkle writes", () => {
  const run = <Result = Evaluated>(...args: string[]) => resultOf<Result>([...args, "--device", "cpu"]);

  it("writes fields that it reads again", async () => {
    for (const extension of ["vti", "vtr"]) {
      const out = folder.file(`made.${extension}`);
      await run("eval", folder.ball, "2 * distance", "--field", "twice", "--out", out);
      const { grid, fields } = await resultOf<Info>(["info", out]);
      expect(grid.dims).toEqual([n, n, n]);
      expect(fields[0]).toMatchObject({ name: "twice", components: 1, centering: "node", min: 0 });
      expect(fields[0].max).toBeCloseTo(2 * Math.hypot(2, 2, 2), 5);
    }
    const npy = folder.file("made.npy");
    await run("eval", folder.ball, `"flow field"`, "--out", npy);
    const bytes = await readFile(npy);
    const header = bytes.subarray(10, 10 + bytes.readUInt16LE(8)).toString();
    expect(header).toContain(`'descr': '<f4', 'fortran_order': False, 'shape': (${n}, ${n}, ${n}, 3)`);
    expect(bytes.readFloatLE(10 + header.length)).toBe(-2);
  });

  it("takes an expression and a negative isovalue, and writes coloured PLY and glTF, and STL", async () => {
    const ply = folder.file("made.ply");
    const args = [folder.ball, "--value", "-1.5", "--expr", "-distance"];
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
    const stl = folder.file("made.stl");
    await run<Surface>("isosurface", ...args, "--out", stl);
    const bytes = await readFile(stl);
    expect([bytes.readUInt32LE(80), bytes.length]).toEqual([got.triangles, 84 + 50 * got.triangles]);
    const glb = folder.file("made.glb");
    await run<Surface>("isosurface", ...args, "--color-by", `"flow field"[0]`, "--out", glb);
    const json = (await readFile(glb)).subarray(20, 1600).toString("latin1");
    expect(json).toContain(`"scalar":"flow field[0]"`);
    expect(json).toContain(`"COLOR_0"`);
    const vtp = folder.file("made.vtp");
    await run<Surface>("isosurface", ...args, "--all-fields", "--out", vtp);
    const xml = (await readFile(vtp)).subarray(0, 2000).toString("latin1");
    expect(xml).toMatch(/Name="flow field" NumberOfComponents="3".*\n<\/PointData>/);
    expect(xml).toMatch(/<CellData>\n.*Type="Int64" Name="vtkOriginalCellIds"/i);
  });
});

describe("crinkle", () => {
  it("prints its version and its commands", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(await runCrinkle(["--version"])).toMatchObject({ code: 0, out: `${version}\n` });
    const { code, out } = await runCrinkle(["--help"]);
    expect(code).toBe(0);
    for (const command of [
      "info",
      "eval",
      "isosurface",
      "cut",
      "slice",
      "threshold",
      "clip",
      "probe",
      "line",
      "render",
      "serve",
    ])
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
    const empty = folder.file("empty.vti");
    await writeFile(empty, "");
    const cut = folder.file("cut.vti");
    await writeFile(cut, (await readFile(folder.ball)).subarray(0, 5000));
    const cases: [string[], RegExp][] = [
      [["info", folder.file("gone.vti")], /^There is no file “.*gone\.vti”\. Check the path\.\n$/],
      [["info", folder.path], /is a folder\. Give the path of a file\./],
      [["info", empty], /“empty\.vti” is empty \(0 bytes\)\./],
      [["info", cut], /cut\.vti/],
      [["eval", folder.ball, "distence * 2", "--device", "cpu"], /distence.*Did you mean distance\?/],
      [
        ["eval", folder.ball, "w = (distance", "--device", "cpu"],
        /A closing \) is missing .* line 1, column 5/,
      ],
      [["eval", folder.ball, "curl(distance)", "--device", "cpu"], /given a scalar.*It takes a vector/],
      [
        ["eval", folder.ball, "a = distance", "--field", "b", "--device", "cpu"],
        /called “b”\. Did you mean “a”\?/,
      ],
      [
        ["eval", folder.ball, "distance", "--out", folder.file("no", "a.npy"), "--device", "cpu"],
        /could not be written/,
      ],
      [
        ["eval", folder.ball, "m = median(distance)", "--out", folder.file("m.vti"), "--device", "cpu"],
        /“m” is the same everywhere, not a field/,
      ],
      [
        ["isosurface", folder.ball, "--value", "1", "--field", "flow field", "--device", "cpu"],
        /vector.*magnitude/,
      ],
    ];
    for (const [args, message] of cases) {
      const { code, out, err } = await runCrinkle(args);
      expect([code, out, args], err).toEqual([1, "", args]);
      expect(err.replace("Running on the CPU.\n", "")).toMatch(message);
    }
  });

  it("falls back to the CPU where no GPU is found, and says so; --device gpu refuses", async () => {
    const none = { VK_ICD_FILENAMES: "/nothing", VK_DRIVER_FILES: "/nothing", LD_LIBRARY_PATH: "/nothing" };
    const fallen = await spawnCrinkle(["eval", folder.ball, "distance"], none);
    expect(fallen.code).toBe(0);
    if (JSON.parse(fallen.out).device === "gpu") return; // a GPU that needs no Vulkan
    expect(fallen.err).toContain("Running on the CPU, because there is no GPU: ");
    const refused = await spawnCrinkle(["eval", folder.ball, "distance", "--device", "gpu"], none);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("or use --device cpu.");
    for (const { err } of [fallen, refused]) expect(err).not.toMatch(/^Warning|^ +at /m);
    // What Dawn says of the driver, in a sentence of its own.
    expect(refused.err).toMatch(/its driver is blocked\. .*(Vulkan|driver).*[.!] Install the package webgpu/);
  });

  it.skipIf(hasHardwareGpu())("prefers the CPU to software that stands in for a GPU", async () => {
    const { code, out, err } = await spawnCrinkle(["eval", folder.ball, "distance"], gpu);
    expect([code, JSON.parse(out).device, err]).toEqual([0, "cpu", "Running on the CPU.\n"]);
  });

  it("says where its result could not be written", () => {
    const command = `"${process.execPath}" bin/crinkle.js info "${folder.ball}" > /dev/full`;
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
