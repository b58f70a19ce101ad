import { expect, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { RoomPage } from "./helpers/room.ts";
test("t", async ({ browser }) => {
  test.setTimeout(120000);
  const context = await browser.newContext();
  const app = await App.start(await context.newPage());
  const host = new RoomPage(app.page);
  await app.page.getByRole("button", { name: "Share" }).click();
  await expect(host.ranks).toHaveCount(1);
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).setChecked(true);
  await RoomPage.ask(context, await host.link(), "Ada");
  await host.member("Ada");
  await app.page.keyboard.press("Escape");
  await app.computeText("w = magnitude(curl(velocity))");
  await expect.poll(async () => (await app.surface())?.field).toBe("w");
  await app.settled();
  await app.page.mouse.move(560, 330);
  await app.page.waitForTimeout(1500);
  for (const colorScheme of ["light", "dark"] as const) {
    await app.page.emulateMedia({ colorScheme });
    await app.page.waitForTimeout(300);
    await app.page.screenshot({ path: `/tmp/w/stats-${colorScheme}.png` });
  }
  await app.page.getByRole("button", { name: "Share: 2 ranks" }).click();
  await host.panel.getByRole("heading", { name: "What the ranks do" }).scrollIntoViewIfNeeded();
  for (const colorScheme of ["light", "dark"] as const) {
    await app.page.emulateMedia({ colorScheme });
    await app.page.waitForTimeout(300);
    await app.page.screenshot({ path: `/tmp/w/stats-panel-${colorScheme}.png` });
  }
});
