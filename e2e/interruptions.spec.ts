import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { writeHoles } from "./helpers/holes.ts";
import { vtiFile } from "./helpers/vti.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

let page: Page;
let app: App;
let folder: string;

test.beforeAll(async ({ browser }, { project }) => {
  folder = project.outputDir;
  await mkdir(folder, { recursive: true });
  page = await browser.newPage();
  app = await App.start(page);
});
test.afterAll(() => page.close());

test("a cancelled computation leaves fields, surface and GPU memory as they were", async () => {
  await page.getByRole("button", { name: "Samples" }).click();
  await page.getByLabel("Points per direction of Tangle").selectOption("128³");
  await page.getByRole("button", { name: "Tangle", exact: true }).click();
  await app.loaded("Tangle 128³");
  const before = await app.state();
  const bytes = (await app.settled()).gpuBytes;
  const waves = "{sin(tangle * x), cos(tangle * y), tangle * z}";
  await app.type(`a = curl(curl(curl(curl(${waves}))))\nb = magnitude(curl(curl(curl(a))))`);
  await app.compute.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(app.status).toContainText(/(The computation|Computing the expression) was cancelled\./);
  const after = await app.state();
  expect(after.data.derived).toEqual(before.data.derived);
  expect(after.layers.list).toEqual(before.layers.list);
  expect((await app.settled()).gpuBytes).toBe(bytes);
  await expect(app.alert).toHaveText("");
  await app.computeText("half = tangle / 2");
  await expect(app.status).toContainText(/half: [1-9][\d,]* triangles/);
});

test("a reloaded page opens the sample again and keeps what was typed", async () => {
  await page.reload();
  await app.loaded("Tangle 128³");
  await expect(app.expression).toContainText("half = tangle / 2");
  await expect(app.alert).toHaveText("");
});

test("a reloaded page says that a file has to be opened once more", async () => {
  const file = vtiFile("mine.vti", [{ name: "f", at: (x, y, z) => x + y * z }]);
  await app.openInput.setInputFiles(file);
  await app.loaded("mine.vti");
  await page.reload();
  await app.loaded("Taylor–Green vortex");
  await expect(app.alert).toContainText("mine.vti is no longer open");
  await app.openInput.setInputFiles(file);
  await app.loaded("mine.vti");
  await expect(app.alert).toHaveText("");
});

test("with reduced motion nothing moves by itself", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = () => page.evaluate(() => document.getAnimations().length);
  await page.getByRole("button", { name: /^Theme/ }).click();
  await expect(page.getByRole("menuitem", { name: "Dark" })).toBeVisible();
  expect(await moving()).toBe(0);
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const job = { name: "Test", step: "Waiting", fraction: undefined, isVisible: true };
    window.crinkle.store.setState({ job });
  });
  await expect(page.getByRole("progressbar")).toBeVisible();
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await moving()).toBeGreaterThan(0);
  await page.evaluate(() => window.crinkle.store.setState({ job: undefined }));
});

test("a part of the page that cannot be loaded is reported, and comes when it is tried again", async () => {
  const code = /HelpDialog/;
  await page.route(code, (route) => route.abort());
  const help = page.getByRole("button", { name: "Help" });
  // Dismissed and asked for once more, it fails once more.
  for (const ending of ["Dismiss", "Try again"]) {
    await help.click();
    await expect(app.alert).toContainText("The help could not be loaded. Check the connection");
    if (ending === "Try again") await page.unroute(code);
    await page.getByRole("button", { name: ending }).click();
    await expect(app.alert).toHaveText("");
  }
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator("dl")).toHaveCSS("display", "grid");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("a file of over 2 GiB is read, or refused in a sentence", async () => {
  const path = join(folder, "over-2-gib.vti");
  await writeHoles(path, 820);
  try {
    await app.openInput.setInputFiles(path);
    const said = page.getByText(/Loaded over-2-gib\.vti: 820 × 820 × 820 points|“(over-2-gib\.vti|f)”.*GiB/);
    await expect(said.first()).toBeVisible({ timeout: 120_000 });
    await page.getByRole("button", { name: "Samples" }).click();
    await page.getByRole("button", { name: "Taylor–Green vortex" }).click();
    await app.loaded("Taylor–Green vortex");
  } finally {
    await rm(path);
  }
});

test("statistics of a large file can be cancelled, and the former data stay", async () => {
  const path = join(folder, "large.vti");
  await writeHoles(path, 740);
  const before = (await app.state()).data.dataSet?.name;
  try {
    await app.openInput.setInputFiles(path);
    await expect(page.getByText("Taking statistics of f")).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(app.status).toContainText("cancelled");
    expect((await app.state()).data.dataSet?.name).toBe(before);
    await expect(app.status).toContainText(/[1-9][\d,]* triangles/);
  } finally {
    await rm(path);
  }
});
