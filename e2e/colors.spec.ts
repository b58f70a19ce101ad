import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { measurePng } from "./helpers/pixels.ts";
import { vtiFile } from "./helpers/vti.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  app = await App.start(page);
});
test.afterAll(() => page.close());

const bar = () => page.getByLabel(/^Scalar bar:/);
const range = () => page.getByRole("combobox", { name: "Colour range" });

/** A cylinder around z, on which `heat` is 2 … 3 along z; at one corner of the box it is 1000. */
const cylinder = vtiFile(
  "cylinder.vti",
  [
    { name: "r", at: (x, y) => Math.hypot(x - 0.5, y - 0.5) },
    { name: "heat", at: (x, y, z) => (x === 1 && y === 1 ? 1000 : 2 + z) },
  ],
  [24, 24, 24],
);

test("colours over the surface's own range show what the whole range hides", async () => {
  await app.openInput.setInputFiles(cylinder);
  await app.loaded("cylinder.vti");
  await app.surfaceField.selectOption("r");
  await app.setIsovalue(0.3);
  await app.colorBy.selectOption("heat");
  await app.settled();
  await range().selectOption("Automatic");
  await app.settled();
  await expect(bar()).toHaveAttribute("aria-label", "Scalar bar: heat from 2 to 1000");
  const automatic = await measurePng(page, await app.picture.screenshot());
  await range().selectOption("Surface");
  await app.settled();
  await expect(bar()).toHaveAttribute("aria-label", "Scalar bar: heat from 2 to 3");
  await expect(page.getByRole("textbox", { name: "From" })).toHaveValue("2");
  await expect(page.getByRole("textbox", { name: "To" })).toBeDisabled();
  const surface = await measurePng(page, await app.picture.screenshot());
  expect(surface.colors).toBeGreaterThan(1.5 * automatic.colors);
});

test("the range follows the surface, and can be kept as it is", async () => {
  await app.computeText("wide = if r < 0.2 then 10 else heat");
  await app.surfaceField.selectOption("r");
  await app.colorBy.selectOption("wide");
  await range().selectOption("Surface");
  await app.setIsovalue(0.4);
  await expect(bar()).toHaveAttribute("aria-label", "Scalar bar: wide from 2 to 3");
  await app.setIsovalue(0.1);
  await expect(bar()).toHaveAttribute("aria-label", "Scalar bar: wide from 10 to 10");
  await app.setIsovalue(0.4);
  await expect(bar()).toHaveAttribute("aria-label", "Scalar bar: wide from 2 to 3");
  await range().selectOption("Set");
  await expect(page.getByRole("textbox", { name: "To" })).toBeEnabled();
  await app.setIsovalue(0.1);
  await app.settled();
  await expect(bar()).toHaveAttribute("aria-label", "Scalar bar: wide from 2 to 3");
});
