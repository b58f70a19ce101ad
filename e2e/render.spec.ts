import { readFile, writeFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { gpuEnvironment, resultOf } from "../src/node/testing/run-crinkle.ts";
import { App } from "./helpers/app.ts";
import { comparePictures } from "./helpers/pixels.ts";

// A software adapter draws both pictures.
test.use({ viewport: { width: 900, height: 600 } });
test.describe.configure({ mode: "serial", timeout: 300_000 });

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  app = await App.start(page);
});
test.afterAll(() => page.close());

const paint = { solid: "#d98841", map: "viridis", reversed: false, nanColor: "#b0b0b0", opacity: 1 };

/** What a view has that a test does not name. */
const common = { format: "crinkle-view", version: 1, programs: [] };

/** Layers of every kind that a grid has: translucent, clipped, hidden, of a single colour, with NaN. */
const layered = {
  ...common,
  source: { kind: "sample", sample: "tangle", size: 24 },
  programs: [
    { text: "slope = magnitude(gradient(tangle))", made: ["slope"], kept: ["slope"] },
    { text: "root = sqrt(slope - 2)", made: ["root"], kept: ["root"] },
  ],
  layers: [
    {
      id: "layer-1",
      isVisible: true,
      shape: {
        kind: "isosurface",
        field: "tangle",
        isovalues: [0.5, 6],
        normals: "flat",
        topology: "trilinear",
      },
      colorBy: "slope",
      paint: { ...paint, opacity: 0.5, range: "surface", map: "plasma" },
      clip: { origin: [0, 0, 0], normal: [1, 1, 0] },
    },
    {
      id: "layer-2",
      title: "Middle",
      isVisible: true,
      shape: { kind: "slice", axis: 2, position: 0.3 },
      colorBy: "root",
      paint,
    },
    {
      id: "layer-3",
      isVisible: false,
      shape: { kind: "slice", axis: 0, position: 0 },
      colorBy: "slope",
      paint,
    },
    {
      id: "layer-4",
      isVisible: true,
      shape: { kind: "cut", by: { kind: "sphere", center: [0, 0, 0], radius: 1.5 } },
      paint,
    },
    {
      id: "layer-5",
      isVisible: true,
      shape: { kind: "threshold", field: "slope", range: [18, 24] },
      colorBy: "root",
      paint: { ...paint, reversed: true, range: [0, 5] },
    },
  ],
  camera: { azimuth: -0.7, elevation: 0.5, distance: 1.7, target: [0.05, 0, 0.02], center: [-0.1, 0.05] },
};

/** Points of a file, coloured by their column. */
const points = {
  ...common,
  source: { kind: "file", name: "points.csv" },
  layers: [{ id: "layer-1", isVisible: true, shape: { kind: "points", size: 9 }, colorBy: "T", paint }],
};
const csv = ["x,y,z,T"];
for (let i = 0; i < 200; i++) csv.push([Math.sin(i), Math.cos(1.7 * i), i / 100, i % 17].join(","));

/** The page's view and picture, as it saves them. */
async function saved(): Promise<{ view: Buffer; picture: Buffer }> {
  await app.settled();
  const { bytes: picture } = await app.download(() => app.savePicture.click());
  await page.getByRole("button", { name: /^View:/ }).click();
  const { bytes: view } = await app.download(() => page.getByRole("menuitem", { name: "Save view" }).click());
  return { view, picture };
}

/**
 * Renders the page's view in Node as large as the page's picture: they may differ in how letters are hinted, which is a few
 * thousandths of the pixels, no more than 4 × 4 of them together.
 */
async function compare(...options: readonly string[]) {
  const { view, picture } = await saved();
  const path = test.info().outputPath("view.crinkle.json");
  const out = test.info().outputPath("node.png");
  await writeFile(path, view);
  await writeFile(test.info().outputPath("page.png"), picture);
  const size = `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`;
  const args = ["render", path, "--size", size, "--out", out, ...options];
  const result = await resultOf<{ triangles: number; layers: number }>(args, await gpuEnvironment());
  const { share, side } = await comparePictures(page, picture, await readFile(out));
  expect(share).toBeLessThan(0.01);
  expect(side).toBeLessThanOrEqual(4);
  return result;
}

async function openView(view: object): Promise<void> {
  const buffer = Buffer.from(JSON.stringify(view));
  const file = { name: "view.crinkle.json", mimeType: "application/json", buffer };
  await page.getByLabel("Open view").setInputFiles(file);
}

test("the sample's first view", async () => {
  const { triangles } = await compare();
  expect(triangles).toBe((await app.settled()).triangles);
});

test("layers of every kind in the dark theme", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openView(layered);
  await app.loaded(/Tangle/);
  const { layers, triangles } = await compare("--theme", "dark");
  expect([layers, triangles]).toEqual([4, (await app.settled()).triangles]);
});

test("points of a file", async () => {
  await page.emulateMedia({ colorScheme: "light" });
  await openView(points);
  const data = test.info().outputPath("points.csv");
  await writeFile(data, csv.join("\n"));
  await app.open(data);
  await compare("--data", data);
});
