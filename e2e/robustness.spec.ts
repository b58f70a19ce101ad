import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { writeHoles } from "./helpers/holes.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

let page: Page;
let app: App;
let huge: string;

test.beforeAll(async ({ browser }, { project }) => {
  page = await browser.newPage();
  app = await App.start(page);
  // Bytes, whose f32 results take 3.0 GiB; on the software adapter, whose buffers end at 1 GiB, 1.2 GiB.
  const n = (await app.state()).device.summary?.isSoftware ? 680 : 928;
  await mkdir(project.outputDir, { recursive: true });
  huge = join(project.outputDir, "huge.vti");
  await writeHoles(huge, n, "UInt8");
});
test.afterAll(async () => {
  await page.close();
  await rm(huge);
});

test("long work shows its progress and can be cancelled; the former picture stays", async () => {
  const before = await app.state();
  await app.openInput.setInputFiles(huge);
  await expect(page.getByRole("progressbar")).toBeAttached();
  await page.getByRole("button", { name: /Cancel/ }).click();
  await expect(app.status).toContainText(/cancelled/);
  const after = await app.state();
  expect(after.data.dataSet?.name).toBe(before.data.dataSet?.name);
  expect(after.layers.list).toEqual(before.layers.list);
});

test("a field over the device's limits is refused with what it needs and what fits", async () => {
  await app.openInput.setInputFiles(huge);
  await expect(app.status).toContainText("Loaded huge.vti", { timeout: 120_000 });
  await app.type("g = 2 * f");
  await app.compute.click();
  const refusal = /needs [\d.]+\sGiB in one GPU buffer; this device allows [\d.]+\sGiB/;
  await expect(page.getByText(refusal).first()).toBeVisible();
  await page.getByRole("button", { name: "Samples" }).click();
  await page.getByRole("button", { name: "Taylor–Green vortex" }).click();
  await app.loaded("Taylor–Green vortex");
});

test("a lost GPU comes back with the data, the fields and the surface", async ({ browser }) => {
  const before = await app.state();
  const devtools = await browser.newBrowserCDPSession();
  await devtools.send("Browser.crashGpuProcess").catch(() => {});
  await expect(app.status).toContainText(/The GPU was lost and is back/, { timeout: 60_000 });
  await devtools.detach();
  await app.settled();
  const after = await app.state();
  expect(after.device.phase).toBe("ready");
  expect(after.data.derived.map(({ name }) => name)).toEqual(before.data.derived.map(({ name }) => name));
  await expect(app.status).toContainText(/[1-9][\d,]* triangles/);
});
