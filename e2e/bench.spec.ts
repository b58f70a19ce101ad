import { expect, test } from "@playwright/test";

test.describe.configure({ timeout: 240_000 });

test("the bench measures the primitives, shows progress, and copies its table", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  await page.getByRole("button", { name: "Bench" }).click();
  const bench = page.getByRole("dialog", { name: "Bench" });
  await bench.getByRole("combobox", { name: "Cases" }).selectOption("Scans and reductions");
  await bench.getByRole("button", { name: "Run", exact: true }).click();
  await expect(bench.getByRole("status")).toContainText(/\d+ of \d+: /);
  await expect(bench.getByRole("progressbar")).toBeVisible();
  await expect(bench.getByRole("status")).toContainText(/^Measured (\d+) of \1 cases on /, {
    timeout: 200_000,
  });

  const rows = bench.getByRole("table").getByRole("row");
  const texts = await rows.allInnerTexts();
  expect(texts.length).toBeGreaterThan(7);
  expect(texts[1]).toMatch(/^copy\s.*100\s%$/s);
  for (const name of ["reduce f32", "scan i32", "scan, no subgroups", "reduce by key u32"]) {
    expect(texts.some((text) => text.startsWith(name))).toBe(true);
  }
  await expect(bench.getByText("wrong result")).toHaveCount(0);
  const shaders = await bench.getByText(/^\d+ shader pipelines were compiled in .+\.$/).textContent();
  expect(Number.parseInt(shaders ?? "", 10)).toBeGreaterThan(texts.length);

  await bench.getByRole("button", { name: "Copy as table" }).click();
  await expect(bench.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n").filter((line) => line.startsWith("| primitives/")).length).toBe(texts.length - 2);
  expect(copied).toContain(shaders);
  const databases = await page.evaluate(() => indexedDB.databases());
  expect(databases.map(({ name }) => name)).toContain("crinkle");

  await page.goBack();
  await expect(bench).toBeHidden();
});

test("a bench can be cancelled, and says how far it came", async ({ page }) => {
  await page.goto("/#bench");
  const bench = page.getByRole("dialog", { name: "Bench" });
  await bench.getByRole("combobox", { name: "Elements" }).selectOption("65,536");
  await bench.getByRole("button", { name: "Run", exact: true }).click();
  await expect(bench.getByRole("row", { name: /^copy/ })).toBeVisible({ timeout: 60_000 });
  await bench.getByRole("button", { name: "Cancel" }).click();
  await expect(bench.getByRole("status")).toContainText(/^Cancelled after \d+ of \d+ cases on /, {
    timeout: 120_000,
  });
});
