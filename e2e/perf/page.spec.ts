import { expect, type Page, test } from "@playwright/test";
import { hasHardwareGpu } from "../../tools/browser.mjs";
import { App } from "../helpers/app.ts";
import { install, quantile } from "./instruments.ts";
import { writePoints } from "./point-file.ts";
import { outOfBounds, printReport, report } from "./report.ts";
import { writeVectorField } from "./vector-field.ts";

// Measured on any machine, judged on a hardware GPU: a software adapter only has to do the work.
test.describe.configure({ mode: "serial", timeout: 600_000 });

let page: Page;
let app: App;
let isSoftware: boolean;
let device: string;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  await install(page);
  app = await App.start(page);
  const { summary } = (await app.state()).device;
  isSoftware = summary?.isSoftware ?? true;
  device = `${summary?.description}, Chromium ${browser.version()}`;
});
test.afterAll(async () => {
  printReport(device);
  await page.close();
});

test("load to the first picture", async () => {
  await page.waitForFunction(() => window.perf.firstPicture !== undefined);
  const ms = await page.evaluate(() => window.perf.firstPicture ?? Number.NaN);
  report({ name: "load to first picture", value: ms, unit: "ms", most: 2000 });
  expect(ms).toBeGreaterThan(0);
});

/** Drags the isovalue over a third of its range, and reports what was drawn meanwhile under `name`. */
async function drag(name: string, bounds: { pictures: number; surfaceMs: number }): Promise<void> {
  await app.isovalue.scrollIntoViewIfNeeded();
  const box = await app.isovalue.locator("..").boundingBox();
  if (!box) throw new Error("the slider's track has no box");
  const before = await app.settled();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 0.35 * box.width, y);
  await page.mouse.down();
  await page.evaluate(() => window.perf.reset());
  const dragged = (await app.surface())?.isovalue;
  const start = performance.now();
  const steps = isSoftware ? 20 : 240;
  for (let i = 0; i < steps; i++) {
    await page.mouse.move(box.x + (0.35 + (0.3 * i) / steps) * box.width, y);
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
  const after = await app.settled();
  const seconds = (performance.now() - start) / 1000;
  const frames = await page.evaluate(() => window.perf.frames);
  const drawn = after.frame - before.frame;
  report({
    name: `${name}: main thread's frames, median`,
    value: quantile(frames, 0.5),
    unit: "ms",
    most: 20,
  });
  report({
    name: `${name}: main thread's frames, 95 %`,
    value: quantile(frames, 0.95),
    unit: "ms",
    most: 34,
  });
  report({
    name: `${name}: pictures drawn a second`,
    value: drawn / seconds,
    unit: "1/s",
    least: bounds.pictures,
  });
  const { measurements } = await app.state();
  const { surfaceMs } = measurements;
  if (surfaceMs !== undefined) {
    report({ name: `${name}: surface on the GPU`, value: surfaceMs, unit: "ms", most: bounds.surfaceMs });
  }
  expect(drawn).toBeGreaterThan(1);
  const surface = await app.surface();
  expect(surface?.isovalue).not.toBe(dragged);
  expect(surface?.counts?.isovalue).toBe(surface?.isovalue);
}

/** Turns the view by dragging over the picture, and reports what was drawn meanwhile under `name`. */
async function turn(name: string, least: number | undefined): Promise<void> {
  const box = await app.picture.boundingBox();
  if (!box) throw new Error("the picture has no box");
  const before = await app.settled();
  const y = box.y + 0.5 * box.height;
  await page.mouse.move(box.x + 0.3 * box.width, y);
  await page.mouse.down();
  await page.evaluate(() => window.perf.reset());
  const start = performance.now();
  const steps = isSoftware ? 10 : 240;
  for (let i = 0; i < steps; i++) {
    await page.mouse.move(box.x + (0.3 + (0.3 * i) / steps) * box.width, y + 40 * Math.sin(i / 40));
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
  const after = await app.settled();
  const seconds = (performance.now() - start) / 1000;
  const frames = await page.evaluate(() => window.perf.frames);
  const drawn = after.frame - before.frame;
  report({
    name: `${name}: main thread's frames, 95 %`,
    value: quantile(frames, 0.95),
    unit: "ms",
    most: 34,
  });
  report({ name: `${name}: pictures drawn a second`, value: drawn / seconds, unit: "1/s", least });
  expect(drawn).toBeGreaterThan(1);
}

async function setNumber(name: string, value: number): Promise<void> {
  const field = page.getByRole("textbox", { name });
  await field.fill(String(value));
  await field.press("Enter");
  await app.settled();
}

async function openSample(title: string, size: number): Promise<void> {
  await page.getByRole("button", { name: "Samples" }).click();
  await page.getByLabel(`Points per direction of ${title}`).selectOption(String(size));
  await page.getByRole("button", { name: title, exact: true }).click();
  await app.loaded(new RegExp(`^${title.split(" ")[0]}.*${size}³`));
}

test("frames while the isovalue is dragged", () => drag("dragging", { pictures: 50, surfaceMs: 3 }));

test("frames while the isovalue of many points is dragged", async () => {
  const size = isSoftware ? 64 : 512;
  await openSample("Tangle", size);
  await drag(`dragging, ${size}³`, { pictures: 50, surfaceMs: 3 });
});

test("frames while a translucent surface of many points is turned", async () => {
  await setNumber("Opacity as a number", 0.4);
  await turn(`turning, ${isSoftware ? 64 : 512}³, translucent`, 50);
});

/** The largest is reported, not judged: it is more than GPUs without much of a rasterizer draw 60 times a second. */
const manyPoints: readonly (readonly [log2: number, pictures: number | undefined])[] = hasHardwareGpu()
  ? [
      [20, 50],
      [22, undefined],
    ]
  : [[12, undefined]];

for (const [log2, least] of manyPoints) {
  test(`frames while 2^${log2} points are turned, opaque and translucent`, async () => {
    const count = isSoftware ? 2 ** 12 : 2 ** log2;
    const path = test.info().outputPath("spiral.ply");
    await writePoints(path, count);
    const start = performance.now();
    await app.open(path);
    report({ name: `${count} points: opened and drawn`, value: performance.now() - start, unit: "ms" });
    await turn(`turning, ${count} points`, least);
    await app.choose(app.colorBy, "Local density");
    await expect(page.getByLabel(/^Scalar bar: density/)).toBeVisible();
    await turn(`turning, ${count} points by density`, least);
    await setNumber("Opacity as a number", 0.4);
    await turn(`turning, ${count} points by density, translucent`, undefined);
  });
}

test("long tasks while a vector field loads and computes, and the memory it takes", async () => {
  const n = isSoftware ? 32 : 256;
  const path = test.info().outputPath(`vectors-${n}.vti`);
  await writeVectorField(path, n);
  await page.evaluate(() => window.perf.reset());
  await app.open(path);
  await app.computeText("q = q_criterion(v)");
  await app.choose(app.surfaceField, "q");
  const { gpuBytes } = await app.settled();
  const { longTasks, longFrames } = await page.evaluate(() => window.perf);
  for (const frame of longFrames) console.log(`long frame: ${frame}`);
  report({
    name: `${n}³ vectors: longest main-thread task`,
    value: Math.max(0, ...longTasks),
    unit: "ms",
    most: 50,
  });
  const { data } = await app.state();
  expect(data.derived.map(({ name }) => name)).toEqual(["q"]);
  const triangles = (await app.surface())?.counts?.triangles ?? 0;
  // Three components, q, and the magnitude that colours the surface; a mesh of 32-byte vertices, two triangles each.
  const fields = 5 * 4 * n ** 3;
  const mesh = 12 * triangles + 16 * triangles;
  report({
    name: `${n}³ vectors: GPU memory over fields and surface`,
    value: gpuBytes / (fields + mesh),
    unit: "",
    most: 1.3,
  });
  expect(triangles).toBeGreaterThan(0);
});

test("GPU bytes before and after tours", async () => {
  const tours = isSoftware && process.env.CRINKLE_SWEEP !== "1" ? 3 : 10;
  const tour = async () => {
    await openSample("Hydrogen orbital", 32);
    await openSample("Tangle", 32);
    await app.computeText("s = magnitude(gradient(tangle))");
    await app.choose(app.surfaceField, "s");
    return (await app.settled()).gpuBytes;
  };
  const before = await tour();
  let after = before;
  for (let i = 0; i < tours; i++) after = await tour();
  report({ name: "GPU bytes before the tours", value: before, unit: "B" });
  report({ name: `growth over ${tours} tours`, value: after - before, unit: "B", most: 0 });
  expect(after).toBe(before);
});

test("the figures of a hardware GPU keep their bounds", () => {
  const missed = outOfBounds();
  if (isSoftware) console.log("A software adapter: the figures are reported, not judged.");
  else expect(missed).toEqual([]);
});
