import { readFile, writeFile } from "node:fs/promises";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { sampleColorMap } from "../src/engine/colormaps.ts";
import { App } from "./helpers/app.ts";
import { rowColors } from "./helpers/pixels.ts";
import { vtiFile } from "./helpers/vti.ts";

test.describe.configure({ mode: "serial", timeout: 240_000 });

let page: Page;
let app: App;

/** A density that falls by a factor of 10⁵ along x, and is 0 on one plane; a field of both signs. */
const density = vtiFile(
  "density.vti",
  [
    { name: "density", at: (x) => (x === 1 ? 0 : 3.4e-4 * 10 ** (-5 * x)) },
    { name: "charge", at: (x, y) => (x - 0.4) ** 3 * (1 + y) },
  ],
  [33, 9, 9],
);
const highest = 3.4e-4;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  app = await App.start(page);
  await app.openInput.setInputFiles(density);
  await app.loaded("density.vti");
});
test.afterAll(() => page.close());

const bar = () => page.getByLabel(/^Scalar bar:/);
const scale = (name: string) =>
  page.getByRole("group", { name: "Colour scale" }).getByRole("radio", { name, exact: true });

async function middleColor(of: Locator): Promise<number[]> {
  const png = await of.screenshot();
  const { width, height } = (await of.boundingBox())!;
  const [color] = await rowColors(page, png, [Math.round(width / 2), Math.round(height / 2)], 1);
  return color.split(",").map(Number);
}

/** viridis at a position. */
function mapped(position: number): readonly number[] {
  const at = 3 * Math.round(255 * Math.min(1, Math.max(0, position)));
  return [...sampleColorMap("viridis", 256).slice(at, at + 3)];
}

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((part, k) => Math.abs(part - b[k])));

test("Log colours a slice by the logarithm, and its bar has ticks at powers of ten", async () => {
  await page.getByRole("button", { name: "Add layer" }).click();
  await page.getByRole("menuitem", { name: "Slice", exact: true }).click();
  await app.colorBy.selectOption("density");
  await page.getByRole("combobox", { name: "Colour range" }).selectOption("Automatic");
  await page.getByRole("button", { name: /^Hide layer density/ }).click();
  await app.picture.focus();
  await page.keyboard.press("z");
  await app.settled();
  const [value] = await app.probeMiddle("density");
  expect(distance(await middleColor(app.picture), mapped(value / highest))).toBeLessThan(6);

  await scale("Log").check();
  await app.settled();
  await expect(bar()).toHaveAttribute(
    "aria-label",
    "Scalar bar: density from 3.4e-10 to 3.4e-4, logarithmic",
  );
  await expect(
    page.getByText("Colours begin at 3.4e-10, a millionth of the largest value shown."),
  ).toBeVisible();
  await expect(page.getByText("Values of 0 and below have the lowest colour.")).toBeVisible();
  const position = Math.log(value / 3.4e-10) / Math.log(1e6);
  expect(distance(await middleColor(app.picture), mapped(position))).toBeLessThan(6);

  // Where the bar has the probed value's place between its ticks, it has the colour of the slice there.
  await expect(bar().getByRole("listitem")).toHaveText(["1e-4", "1e-6", "1e-8"]);
  const middles = await bar()
    .getByRole("listitem")
    .evaluateAll((items) =>
      items.map((item) => item.getBoundingClientRect()).map(({ top, height }) => top + 0.5 * height),
    );
  const perDecade = (middles[2] - middles[0]) / 4;
  const y = middles[0] + perDecade * (-4 - Math.log10(value));
  const box = (await bar().boundingBox())!;
  const png = await bar().screenshot();
  // The colours are 13 pixels wide, 12 from the right edge.
  const [there] = await rowColors(page, png, [Math.round(box.width - 16), Math.round(y - box.y)], 1);
  expect(distance(there.split(",").map(Number), mapped(position))).toBeLessThan(8);
});

test("Symmetric log has its ticks on both sides of 0", async () => {
  await app.colorBy.selectOption("charge");
  await scale("Symmetric log").check();
  await app.settled();
  await expect(bar()).toHaveAttribute("aria-label", /, symmetric logarithmic$/);
  await expect(page.getByText(/^Linear between −4.32e-4 and 4.32e-4, a thousandth/)).toBeVisible();
  await expect(bar().getByRole("listitem")).toHaveText(["0.1", "0.001", "0", "−0.001", "−0.1"]);
});

test("a logarithmic axis brings small isovalues within reach, and stays with its field", async () => {
  await page.getByRole("button", { name: /^Show layer density/ }).click();
  await page.getByRole("button", { name: /^Isosurface: / }).click();
  await app.colorBy.selectOption("density");
  await app.settled();
  // Two bars lie, and their numbers stand apart from each other, in the order of the colours.
  const numbers = page.getByLabel(/symmetric logarithmic$/).getByRole("listitem");
  await expect(numbers).toHaveText(["0.1", "0", "−0.1"]);
  const boxes = await numbers.evaluateAll((items) => items.map((item) => item.getBoundingClientRect()));
  for (const [k, { right }] of boxes.slice(1).entries()) expect(right).toBeLessThan(boxes[k].left);

  await app.surfaceField.selectOption("density");
  await app.settled();
  const toggle = page.getByRole("button", { name: "Logarithmic axis" });
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  const lowest = 3.4e-4 * 10 ** (-5 * (31 / 32));
  await expect
    .poll(async () => Number(await app.isovalue.getAttribute("aria-valuemin")))
    .toBeCloseTo(lowest, 12);
  const track = app.isovalue.locator("..");
  const { x, y, width, height } = (await track.boundingBox())!;
  const place = Math.log(3e-6 / lowest) / Math.log(highest / lowest);
  await page.mouse.click(x + place * width, y + 0.5 * height);
  await app.settled();
  const isovalue = (await app.surface())!.isovalue;
  expect(Math.abs(isovalue / 3e-6 - 1)).toBeLessThan(0.03);
  expect((await app.surface())!.counts?.triangles).toBeGreaterThan(0);
  await page.keyboard.press("ArrowRight");
  await app.settled();
  expect((await app.surface())!.isovalue / isovalue).toBeCloseTo((highest / lowest) ** 0.001, 6);

  await app.surfaceField.selectOption("charge");
  await app.settled();
  await expect(toggle).toBeHidden();
  await app.surfaceField.selectOption("density");
  await app.settled();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
});

test("a saved view keeps scales and axes", async () => {
  await page.getByRole("button", { name: /^View:/ }).click();
  const saved = await app.download(() => page.getByRole("menuitem", { name: "Save view" }).click());
  const path = test.info().outputPath("view.crinkle.json");
  await writeFile(path, saved.bytes);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ logFields: ["density"] });
  await page.evaluate(() => window.crinkle.data.open({ kind: "sample", sample: "tangle", size: 8 }));
  await page.getByLabel("Open view").setInputFiles(path);
  await expect(app.alert).toContainText("This view needs the file density.vti from your computer.");
  await app.openInput.setInputFiles(density);
  await app.loaded("density.vti");
  await expect
    .poll(async () => (await app.state()).layers.list.map(({ paint }) => paint.scale))
    .toEqual([undefined, "symlog"]);
  expect((await app.state()).layers.logFields).toEqual(["density"]);
});
