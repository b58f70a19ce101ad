import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { ising } from "../../core/lattice/ising/ising.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { linkOf } from "../../engine/saved-view/link.ts";
import type { ViewReports } from "../../engine/saved-view/view-ranks.ts";
import { launchers } from "../mpi/testing/launchers.ts";
import { gpu, n, TestFolder } from "../testing/cli-data.ts";
import { resultOf, runCrinkle, spawnCrinkle } from "../testing/run-crinkle.ts";

const folder = new TestFolder();

interface Rendered {
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  readonly triangles: number;
  readonly bytes: number;
  readonly ranks?: ViewReports;
}

const paint = { solid: "#e00000", map: "viridis", reversed: false, nanColor: "#b0b0b0", opacity: 1 };

/** A view of the ball, seen along y: the red sphere of radius 1 across the middle of a box of side 4. */
const ball = {
  format: "crinkle-view",
  version: 1,
  source: { kind: "file", name: "ball.vti" },
  programs: [{ text: "half = distance / 2", made: ["half"], kept: ["half"] }],
  layers: [
    {
      id: "a",
      isVisible: true,
      shape: { kind: "isosurface", field: "half", isovalues: [0.5], normals: "smooth", topology: "table" },
      paint,
    },
    { id: "b", isVisible: false, shape: { kind: "slice", axis: 0, position: 0 }, colorBy: "half", paint },
  ],
  camera: { azimuth: -Math.PI / 2, elevation: 0, distance: 2, target: [0, 0, 0], center: [0, 0] },
};

async function viewFile(view: object): Promise<string> {
  const path = folder.file("view.crinkle.json");
  await writeFile(path, JSON.stringify(view));
  return path;
}

async function pixelsOf(path: string) {
  const image = await loadImage(await readFile(path));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const at = (x: number, y: number) => [...data.subarray(4 * (y * image.width + x)).subarray(0, 3)];
  let red = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] > 60 && data[i + 1] + data[i + 2] < data[i] / 2) red++;
  return { width: image.width, height: image.height, data, at, red };
}

/** Draws the ball as `launcher` runs the command, where it is given. */
async function drawn(name: string, options: readonly string[], launcher: readonly string[] = []) {
  const out = folder.file(name);
  const command = [...launcher, process.execPath, "bin/crinkle.js", "render", await viewFile(ball)];
  const [program, ...args] = [...command, "--data", folder.ball, "--out", out, ...options];
  const { stdout } = await promisify(execFile)(program, args, { env: { ...process.env, ...gpu } });
  return { result: JSON.parse(stdout) as Rendered, picture: await pixelsOf(out) };
}

/** Pixels that differ visibly. */
function differingIn(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  let differing = 0;
  for (let at = 0; at < one.length; at += 4)
    if ([0, 1, 2].some((c) => Math.abs(one[at + c] - other[at + c]) > 12)) differing++;
  return differing;
}

/** By one rank, for all tests. */
let alone: ReturnType<typeof drawn> | undefined;
const drawnAlone = () => {
  alone ??= drawn("alone.png", ["--size", "320x240"]);
  return alone;
};

/** Fails unless two ranks, of which each has half of the ball, have drawn what one rank draws. */
async function expectDrawnTogether(
  { layers, triangles, ranks = [] }: Rendered,
  data: Uint8ClampedArray,
): Promise<void> {
  const { result, picture } = await drawnAlone();
  expect([layers, triangles]).toEqual([result.layers, result.triangles]);
  expect(ranks.map(({ block }) => block[2])).toEqual([
    [0, 8],
    [8, 16],
  ]);
  // The hidden slice, across x, is in both parts.
  for (const each of ranks) expect(each.triangles).toBeGreaterThan(triangles / 2);
  // The sphere covers thousands, and its outline alone more than a hundred.
  expect(differingIn(picture.data, data)).toBeLessThan(50);
}

describe("crinkle render", () => {
  it("draws a view of a file at the given size, theme and scale", async () => {
    const light = await drawnAlone();
    expect(light.result).toMatchObject({
      width: 320,
      height: 240,
      layers: 1,
      bytes: (await readFile(folder.file("alone.png"))).length,
    });
    expect([light.picture.width, light.picture.height]).toEqual([320, 240]);
    expect(light.picture.at(2, 2)).toEqual([0xee, 0xf1, 0xf5]);
    // The box's diagonal is the camera's unit of length; the view is 2 tan(15°) of the distance high, see `core/projection`.
    const radius = 1 / (4 * Math.sqrt(3));
    const onScreen = (radius / Math.sqrt(2 ** 2 - radius ** 2) / Math.tan(Math.PI / 12)) * 120;
    const area = Math.PI * onScreen ** 2;
    expect(Math.abs(light.picture.red / area - 1)).toBeLessThan(0.03);

    const dark = await drawn("dark.png", ["--size", "400x240", "--scale", "2", "--theme", "dark"]);
    expect(dark.result).toMatchObject({ width: 400, height: 240, triangles: light.result.triangles });
    expect([dark.picture.width, dark.picture.height]).toEqual([400, 240]);
    expect(dark.picture.at(2, 2)).toEqual([0x10, 0x16, 0x1d]);
    expect(Math.abs(dark.picture.red / area - 1)).toBeLessThan(0.03);
  });

  it.each(launchers.slice(0, 1))(
    "draws what one rank draws by ranks that $library has launched",
    async ({ program, options }) => {
      const { result, picture } = await drawn(
        "launched.png",
        ["--size", "320x240"],
        [program, ...options, "-n", "2"],
      );
      await expectDrawnTogether(result, picture.data);
    },
  );

  it("draws what one rank draws by ranks that it starts, of which each fetches its own part of an address", async () => {
    let requests = 0;
    const server = createServer(async (_, response) => {
      requests++;
      response.end(await readFile(folder.ball));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const source = { kind: "url", url: `http://127.0.0.1:${port}/ball.vti` };
      const view = await viewFile({ ...ball, source });
      const out = folder.file("address.png");
      const result = await resultOf<Rendered>(
        ["render", view, "--size", "320x240", "--ranks", "2", "--out", out],
        gpu,
      );
      expect(requests).toBe(2);
      await expectDrawnTogether(result, (await pixelsOf(out)).data);
    } finally {
      server.close();
    }
  });

  it("draws points by one rank, and says so", async () => {
    const rows = Array.from({ length: 200 }, (_, i) => [i % 10, Math.floor(i / 10) % 5, i % 7].join());
    await writeFile(folder.file("points.csv"), ["x,y,z", ...rows].join("\n"));
    const view = await viewFile({
      ...ball,
      source: { kind: "file", name: "points.csv" },
      programs: [],
      layers: [{ id: "a", isVisible: true, shape: { kind: "points", size: 9 }, paint }],
    });
    const out = folder.file("points.png");
    const args = ["render", view, "--data", folder.file("points.csv"), "--size", "160x120", "--out", out];
    const { code, err } = await spawnCrinkle([...args, "--ranks", "2"], gpu);
    expect([code, err]).toEqual([0, expect.stringContaining("Points are drawn by one rank")]);
    expect((await pixelsOf(out)).red).toBeGreaterThan(300);
  });

  it("draws samples, and links to them", async () => {
    const source = { kind: "sample", sample: "tangle", size: n };
    const [layer] = ball.layers;
    const view = {
      ...ball,
      source,
      programs: [],
      layers: [{ ...layer, shape: { ...layer.shape, field: "tangle" } }],
    };
    const link = await linkOf("https://example.org/", JSON.stringify(view));
    const [file, linked] = [folder.file("file.png"), folder.file("link.png")];
    await resultOf(["render", await viewFile(view), "--size", "160x120", "--out", file], gpu);
    await resultOf(["render", link, "--size", "160x120", "--out", linked], gpu);
    expect((await pixelsOf(file)).red).toBeGreaterThan(1000);
    expect(await readFile(linked)).toEqual(await readFile(file));
    const vortex = { ...view, source: { kind: "sample", sample: "taylor-green" }, layers: [] };
    await resultOf(["render", await viewFile(vortex), "--size", "160x120", "--out", file], gpu);
    expect((await pixelsOf(file)).red).toBe(0);
  });

  it("draws a lattice as it was, by running its sweeps again", async () => {
    const size = [16, 8];
    const source = {
      kind: "lattice",
      model: "ising",
      size,
      seed: 3,
      start: "random",
      sweeps: 4,
      changes: [
        { kind: "parameters", sweep: 1, parameters: { temperature: 2.5 } },
        { kind: "stroke", sweep: 3, stroke: { position: [4, 2], radius: 2, value: -1 } },
      ],
    };
    // From above.
    const camera = { ...ball.camera, elevation: Math.PI / 2 };
    const view = { ...ball, source, programs: [], camera };
    const layers = [{ id: "a", isVisible: true, shape: { kind: "image" }, colorBy: "spin", paint }];
    const out = folder.file("lattice.png");
    await resultOf(["render", await viewFile({ ...view, layers }), "--size", "480x320", "--out", out], gpu);
    const plan = ising.on(size, {});
    const parameters = { temperature: 2.269 };
    const same = createHostSimulation(plan, { seed: [3, 0], start: "random", parameters });
    await same.run(1, parameters);
    await same.run(2, { temperature: 2.5 });
    (await same.brush())({ position: [4, 2], radius: 2, value: -1 });
    await same.run(1, { temperature: 2.5 });
    const spins = [...(await same.field("spin"))];

    // Viridis is yellow at 1 and purple at −1; the image reaches from the picture's middle to where neither is.
    const picture = await pixelsOf(out);
    const spinAt = (x: number, y: number): number => {
      const [r, g, b] = picture.at(x, y);
      return r > 200 && g > 180 && b < 120 ? 1 : r < 110 && g < 60 && b > 50 ? -1 : 0;
    };
    const end = (stepX: number, stepY: number): number => {
      let steps = 0;
      while (spinAt(240 + (steps + 1) * stepX, 160 + (steps + 1) * stepY) !== 0) steps++;
      return steps;
    };
    const [left, right] = [240 - end(-1, 0), 240 + end(1, 0)];
    const [top, bottom] = [160 - end(0, -1), 160 + end(0, 1)];
    const drawnSpins = spins.map((_, site) => {
      const x = left + ((right - left) * ((site % 16) + 0.5)) / 16;
      const y = bottom - ((bottom - top) * (Math.floor(site / 16) + 0.5)) / 8;
      return spinAt(Math.round(x), Math.round(y));
    });
    expect(new Set(spins)).toEqual(new Set([1, -1]));
    expect(drawnSpins).toEqual(spins);
  });

  it.each([
    [["--size", "40"], 2, "The option --size is “40”. Write the width and the height in pixels: 1920x1080."],
    [["--scale", "5"], 2, "The option --scale is 5. Choose one from 1 to 4."],
    [["--theme", "blue"], 2, "The option --theme is “blue”. It can be light, dark."],
    [["--out", "a.jpg"], 2, "The format of “a.jpg” is unknown. --out takes a file named .png."],
    [
      [],
      2,
      "The view shows the file ball.vti, but does not record its folder. Give its path: --data ball.vti.",
    ],
    [["--ranks", "2"], 2, "Give its path: --data ball.vti."],
    [["--ranks", "0"], 2, "The option --ranks is 0."],
    [
      ["--dims", "9x9x9", "--dtype", "u8"],
      2,
      "--dims is given without --data. It describes the file of --data.",
    ],
    [["--data", "gone.raw", "--dims", "9x9x9", "--dtype", "u8"], 1, "There is no file “gone.raw”."],
    [["--data", "gone.vti", "--ranks", "2"], 1, "There is no file “"],
    [["--data", "gone.vti"], 1, "There is no file “gone.vti”. Check the path."],
  ])("refuses %j", async (options, exit, message) => {
    const out = options.includes("--out") ? [] : ["--out", folder.file("no.png")];
    const {
      code,
      out: printed,
      err,
    } = await runCrinkle(["render", await viewFile(ball), ...out, ...options]);
    expect([code, printed]).toEqual([exit, ""]);
    expect(err).toContain(message);
  });

  it("says what is wrong with a view, with a size and without a GPU", async () => {
    const refused = async (view: object, run = runCrinkle, options: readonly string[] = []) => {
      const args = ["render", await viewFile(view), "--data", folder.ball, "--out", folder.file("no.png")];
      const { code, out, err } = await run([...args, ...options]);
      expect([code, out], err).toEqual([1, ""]);
      return err;
    };
    expect(await refused({ ...ball, version: 2 })).toContain("its version is 2, and this Crinkle reads 1.");
    expect(await refused({ ...ball, format: "x" })).toContain("This file is not a Crinkle view.");
    const [layer] = ball.layers;
    const lost = [{ ...layer, shape: { ...layer.shape, field: "distence" } }];
    const onGpu = (args: readonly string[]) => spawnCrinkle(args, gpu);
    expect(await refused({ ...ball, layers: lost }, onGpu)).toMatch(/distence.*Did you mean distance\?/);
    expect(await refused(ball, onGpu, ["--size", "40000x10"])).toContain(
      "A picture of 40000 × 10 pixels is larger than a canvas can be.",
    );
    const none = { VK_ICD_FILENAMES: "/nothing", VK_DRIVER_FILES: "/nothing", LD_LIBRARY_PATH: "/nothing" };
    const { code, err } = await spawnCrinkle(
      ["render", await viewFile(ball), "--data", folder.ball, "--out", folder.file("x.png")],
      none,
    );
    if (code === 0) return; // a GPU that needs no Vulkan
    expect(err).toContain("Install the package webgpu and a driver for Vulkan, Metal or Direct3D 12.");
  });
});
