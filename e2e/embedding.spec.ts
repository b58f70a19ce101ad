import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { examplesIn } from "../src/embed/testing/examples.ts";
import { ensureBuilt } from "../tools/build.mjs";

const examples = examplesIn(readFileSync("docs/embedding.md", "utf8"));

test.beforeAll(() => ensureBuilt("lib", console.info));

/** A site of its own: the pages of the documentation, and the library's folder beside them. */
test.beforeEach(async ({ page }) => {
  await page.route("**/embedding/**", async (route) => {
    const path = new URL(route.request().url()).pathname.replace("/embedding/", "");
    const text = examples.get(path) ?? readFileSync(`dist/${path}`, "utf8");
    const contentType = path.endsWith(".js") ? "text/javascript" : "text/html";
    await route.fulfill({ contentType, body: text });
  });
});

test("a plain page derives a field from its arrays", async ({ page }) => {
  await page.goto("/embedding/page.html");
  await expect(page.locator("#answer")).toHaveText("at most 1.241, on the gpu");
});

test("a page's simulation is contoured each step, on its own device", async ({ page }) => {
  await page.goto("/embedding/in-situ.html");
  await expect(page.locator("#answer")).toHaveText(/^\d+ < \d+ < \d+ triangles$/);
  const counts = (await page.locator("#answer").textContent())!.match(/\d+/g)!.map(Number);
  expect(counts[0]).toBeGreaterThan(100);
  expect(counts[2]).toBeGreaterThan(counts[1]);
  expect(counts[1]).toBeGreaterThan(counts[0]);
});
