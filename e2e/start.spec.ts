import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { measurePng } from "./helpers/pixels.ts";

test("the start page shows a lit, coloured sample with its scalar bar", async ({ page }) => {
  const faults: string[] = [];
  const scripts = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) scripts.add(pathname);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  const app = await App.start(page);
  const { drawn, colors } = await measurePng(page, await app.picture.screenshot());
  expect(drawn).toBeGreaterThan(0.05);
  expect(colors).toBeGreaterThan(30);
  const { data, device } = await app.state();
  expect(data.dataSet?.grid?.dims).toEqual([64, 64, 64]);
  expect(device.phase).toBe("ready");
  await expect(app.alert).toHaveText("");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(faults).toEqual([]);
  const zipped = [...scripts].map((path) => gzipSync(readFileSync(`dist/web${path}`)).length);
  const total = zipped.reduce((sum, bytes) => sum + bytes, 0);
  expect(total, [...scripts].map((path, k) => `${path}: ${zipped[k]}`).join("\n")).toBeLessThan(557_000);
});
