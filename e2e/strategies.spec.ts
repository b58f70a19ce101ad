import { expect, type Locator, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { seriousFaults } from "./helpers/axe.ts";

test.describe.configure({ mode: "serial" });

/** By filters a dot product, its half and a sum: three kernels. */
const text = "e = 0.5 * dot(velocity, velocity) + pressure";

let page: Page;
let app: App;
let inspector: Locator;

const rowOf = (strategy: string) =>
  inspector
    .getByRole("table", { name: "Strategies compared" })
    .getByRole("row", { name: new RegExp(`^${strategy}`) });

async function cellsOf(strategy: string): Promise<readonly string[]> {
  return rowOf(strategy).getByRole("cell").allTextContents();
}

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  page = await context.newPage();
  app = await App.start(page);
  await app.computeText(text);
  await page.getByRole("button", { name: "Inspect how it runs" }).click();
  inspector = page.getByRole("dialog", { name: "How it runs" });
});
test.afterAll(() => page.close());

test("a computation shows what it moved, and an automatic run why it chose its strategy", async () => {
  const table = inspector.getByRole("table", { name: "Cost of a run" });
  const valuesOf = (fact: string) =>
    table.getByRole("row", { name: fact }).getByRole("cell").allTextContents();
  await expect(table).toBeVisible();
  expect(await valuesOf("Strategy")).toEqual(["fusion"]);
  expect(await valuesOf("Kernels")).toEqual(["1"]);
  expect(await valuesOf("Downloads")).toEqual(["0"]);
  await inspector.getByRole("button", { name: "Run", exact: true }).click();
  await expect(table.getByRole("columnheader", { name: "Run" })).toBeVisible();
  const [, chosen] = await valuesOf("Strategy");
  await expect(inspector.getByText(new RegExp(`Run: ${chosen} moves .+ the fastest`))).toBeVisible();
  // The picture has needed velocity before; pressure is new to the GPU.
  expect(await valuesOf("Uploads")).toEqual(["1", "2"]);
  expect((await valuesOf("Downloads"))[1]).toBe("1");
});

test("all strategies are compared at one press: other kernels, equal values", async () => {
  await inspector.getByRole("tab", { name: "Strategies" }).click();
  await inspector.getByRole("button", { name: "Compare strategies" }).click();
  await expect(inspector.getByText(/^Automatic choice: .+/)).toBeVisible();
  const rows = await Promise.all(["fusion", "staged", "streamed", "roundtrip"].map(cellsOf));
  expect(rows.map(([, , kernels]) => kernels)).toEqual(["1", "3", "1", "3"]);
  expect(rows.map(([, , , , downloads]) => downloads)).toEqual(["1", "1", "1", "3"]);
  for (const cells of rows) expect(cells[6]).toMatch(/^the same$|^within \de-8$/);
  await inspector.getByRole("button", { name: "Copy as table" }).click();
  await expect(inspector.getByRole("button", { name: "Copied" })).toBeVisible();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split("\n");
  expect(lines[0]).toMatch(/^\| strategy \| kernels \|.*\| peak bytes \| ms \|/);
  expect(lines.slice(2).map((line) => line.split(" | ")[0])).toEqual([
    "| fusion",
    "| staged",
    "| streamed",
    "| roundtrip",
  ]);
});

test("the network shows each filter once, its type by pointer and keys, and what a staged run measured", async () => {
  await inspector.getByRole("tab", { name: "Network" }).click();
  const network = inspector.getByRole("group", { name: "Dataflow network" });
  const box = (name: string | RegExp) => network.getByRole("img", { name });
  await expect(box(/^dot: filter, scalar, node, of .+ used once, .+iB/)).toBeVisible();
  await expect(box(/^velocity: field, vector \(3\), node, used twice/)).toBeVisible();
  await expect(box(/^0\.5: constant/)).toBeVisible();
  await box(/^pressure/).hover();
  const caption = inspector.getByRole("figure");
  await expect(caption).toContainText(/pressure field · scalar, node · used once/);
  await inspector.getByRole("tab", { name: "Network" }).hover();
  await inspector.getByRole("button", { name: "Copy as script" }).focus();
  await page.keyboard.press("Tab");
  await expect(box(/^e: result/)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(box(/^add: filter/)).toBeFocused();
  await expect(caption).toContainText("add filter · scalar, node");
  await inspector.getByRole("button", { name: "Copy as DOT" }).click();
  await expect(inspector.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^digraph network \{.*velocity/s);
});

test("the shaders of each kernel can be read and copied", async () => {
  await inspector.getByRole("tab", { name: "Shaders" }).click();
  const code = inspector.getByRole("region", { name: "WGSL" });
  await expect(code).toContainText("@compute");
  const fused = await code.textContent();
  await inspector.getByRole("combobox", { name: "Run" }).selectOption("Compared: staged");
  const kernels = inspector.getByRole("combobox", { name: "Kernel" });
  await expect(kernels.getByRole("option")).toHaveCount(3);
  await kernels.selectOption({ index: 2 });
  expect(await code.textContent()).not.toBe(fused);
  await inspector.getByRole("button", { name: "Copy shader" }).click();
  await expect(inspector.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("@compute");
});

test("within a limit of memory, what does not fit says how much it needs, and streaming goes on", async () => {
  await inspector.getByRole("tab", { name: "Strategies" }).click();
  await inspector.getByRole("textbox", { name: "Memory limit, MiB" }).fill("2");
  await inspector.getByRole("button", { name: "Compare strategies" }).click();
  await expect(inspector.getByText(/^Automatic choice: streamed moves/)).toBeVisible();
  await expect(rowOf("fusion")).toContainText(
    /The fusion strategy would hold [\d.]+\sMiB on the GPU; 2\.0\sMiB are allowed\./,
  );
  await expect(rowOf("streamed")).toContainText(/\d+ blocks/);
});

test("axe finds no serious fault in either theme, and nothing sticks out at 390 px", async () => {
  const tabs = ["Run", "Strategies", "Network", "Shaders"];
  const showEach = async (look: (tab: string) => Promise<void>): Promise<void> => {
    for (const tab of tabs) {
      await inspector.getByRole("tab", { name: tab }).click();
      await expect(inspector.getByRole("tabpanel", { name: tab })).toBeVisible();
      await look(tab);
    }
  };
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await showEach(async () => expect(await seriousFaults(page)).toEqual([]));
  }
  await page.setViewportSize({ width: 390, height: 780 });
  await showEach(async () => {
    const widths = await inspector.evaluate(({ scrollWidth }) => [
      scrollWidth,
      document.documentElement.scrollWidth,
    ]);
    expect(Math.max(...widths)).toBeLessThanOrEqual(390);
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await inspector.getByRole("tab", { name: "Strategies" }).click();
});

test("a comparison can be cancelled", async () => {
  await inspector.getByRole("textbox", { name: "Memory limit, MiB" }).fill("");
  // As soon as the button is there: a fast GPU would be done before a pointer has come to it.
  await inspector.evaluate(async (dialog) => {
    const press = (name: string) =>
      [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
    press("Compare strategies");
    await new Promise((resolve) => setTimeout(resolve, 0));
    press("Cancel");
  });
  await expect(inspector.getByRole("alert")).toContainText(/cancelled/i);
  await expect(inspector.getByRole("button", { name: "Compare strategies" })).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
  await app.settled();
});

test("a person computes by a strategy and within a limit of their choice, and reads what it took", async () => {
  const menu = page.getByRole("button", { name: /^Strategy: / });
  const table = page.getByRole("table", { name: "The last computation" });
  const cells = () => table.getByRole("cell").allTextContents();
  const why = table.locator("xpath=following-sibling::p");
  const limit = page.getByRole("textbox", { name: "Memory limit, MiB" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "Auto" })).toBeFocused();
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("radio", { name: "Streamed" })).toBeChecked();
  await page.keyboard.press("Tab");
  await page.keyboard.insertText("1");
  await page.keyboard.press("Enter");
  await expect(limit).toBeHidden();
  await expect(menu).toBeFocused();
  await expect(menu).toHaveAccessibleName("Strategy: Streamed, at most 1.0 MiB");

  await app.compute.click();
  await expect(table).toContainText("streamed");
  const [strategy, kernels, uploads, downloads, peak] = await cells();
  expect(strategy).toMatch(/^streamed/);
  await expect(why).toHaveText(`In ${kernels} blocks.`);
  expect([Number(uploads), Number(downloads)]).toEqual([2 * Number(kernels), Number(kernels)]);
  expect(peak).toMatch(/^\d{3}\sKiB$/);
  // The result came back; its surface is drawn from it all the same, and follows the isovalue.
  const { triangles } = await app.settled();
  await app.setIsovalue(0.1);
  expect((await app.settled()).triangles).not.toBe(triangles);

  await menu.click();
  await page.getByRole("radio", { name: "Fusion" }).check();
  await page.keyboard.press("Escape");
  await app.compute.click();
  await expect(app.alert).toContainText(
    "The fusion strategy would hold 5.0 MiB on the GPU; 1.0 MiB are allowed.",
  );
  await menu.click();
  await page.getByRole("radio", { name: "Auto" }).check();
  await page.keyboard.press("Escape");
  await app.compute.click();
  await expect(why).toHaveText(
    /^In \d+ blocks; streamed moves .+ those that fit; fusion would hold 5\.0\sMiB/,
  );
  await expect(app.alert).toBeEmpty();

  await table.getByRole("button", { name: "streamed: inspect this run" }).click();
  await expect(inspector).toBeVisible();
});
