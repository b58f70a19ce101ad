import { expect, test } from "@playwright/test";
import { App } from "./helpers/app.ts";

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      args: ["--no-sandbox", "--disable-gpu", "--disable-blink-features=WebGPU"],
    });
  },
});

test("without WebGPU the page says what is missing, and computes on the CPU", async ({ page }) => {
  await page.goto("/");
  const app = new App(page);
  await expect(app.alert).toContainText(/WebGPU/);
  await expect(app.status).toContainText(/Computed q in .*, on the CPU/);
  const { data, device } = await app.state();
  expect(device.summary?.kind).toBe("cpu");
  expect(data.derived[0].statistics.max).toBeGreaterThan(0);
  await app.computeText("g = gaussian(q_criterion(velocity), 3)");
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  await expect(app.status).toContainText(
    cores > 1 ? `, on the CPU, ${Math.min(cores, 32)} threads` : ", on the CPU",
  );

  await app.computeText("m = magnitude(velocity)");
  expect((await app.state()).data.derived.at(-1)?.statistics.min).toBeGreaterThanOrEqual(0);

  await page.getByRole("button", { name: "Inspect how it runs" }).click();
  const inspector = page.getByRole("dialog", { name: "How it runs" });
  await expect(inspector.getByText(/computed on the CPU/)).toBeVisible();
  await inspector.getByRole("tab", { name: "Network" }).click();
  await expect(inspector.getByRole("img", { name: /^magnitude: filter, scalar, node/ })).toBeVisible();
  await expect(inspector.getByRole("button", { name: "Measure each node" })).toBeHidden();
});
