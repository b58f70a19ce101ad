import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";

test.describe.configure({ mode: "serial" });

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
});
test.afterAll(() => page.close());

test("a word that is typed while the editor is on its way is completed when it is there", async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/create-editor/, async (route) => {
    await held;
    await route.continue();
  });
  app = await App.start(page);
  await app.type("");
  await page.keyboard.type("s = q_crit");
  await expect(app.expression).toHaveValue("s = q_crit");
  await expect(page.getByRole("option", { name: /q_criterion/ })).toBeHidden();
  release();
  await expect(page.getByRole("option", { name: /q_criterion/ })).toBeVisible();
  // Not clipped: what is there would get a click.
  const documentation = page.getByText("Positive where rotation exceeds strain").last();
  await documentation.click({ trial: true });
  await page.keyboard.type("erion(velocity)");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(app.status).toContainText(/s: [1-9][\d,]* triangles/);
});

test("expressions without a name are computed one after another, and each is shown", async () => {
  await app.computeText("magnitude(velocity)");
  await app.computeText("curl(velocity)");
  await expect(app.status).toContainText(/magnitude\(result2\): [1-9][\d,]* triangles/);
  await expect(app.alert).toHaveText("");
  for (const name of ["result", "result2"]) {
    await expect(page.getByRole("button", { name: `Remove ${name}`, exact: true })).toBeVisible();
  }
  // A layer that was set up stays in the list, hidden.
  const opacity = page.getByRole("textbox", { name: "Opacity as a number" });
  await opacity.fill("0.5");
  await opacity.press("Enter");
  await app.computeText("result = -velocity");
  await expect(app.status).toContainText(/magnitude\(result\): [1-9][\d,]* triangles/);
  const layers = page.getByRole("list", { name: "Layers" }).getByRole("listitem");
  await expect(layers).toHaveCount(2);
  await expect(
    page.getByRole("button", { name: "Show layer magnitude(result2)", exact: true }),
  ).toBeVisible();

  // The search finds functions with what is said of them, fields, and commands by other programs' words.
  const search = page.getByRole("combobox", { name: "Find a command, field or function" });
  const options = page.getByRole("listbox", { name: "Found" }).getByRole("option");
  await page.keyboard.press("ControlOrMeta+k");
  await search.fill("rotation strain");
  await expect(options.first()).toContainText("q_criterion(");
  await expect(page.getByText("Positive where rotation exceeds strain").last()).toBeVisible();
  await search.press("Enter");
  await expect(app.expression).toHaveText(/result = -velocity\s*q_criterion\(velocity\)/);
  await page.getByRole("button", { name: "Find (Ctrl+K)" }).click();
  await search.fill("clip");
  await options.filter({ hasText: "Add plane cut" }).click();
  await expect(layers).toHaveCount(3);
  await page.keyboard.press("ControlOrMeta+k");
  await search.fill("screenshot");
  await expect(options.first()).toContainText("Save picture");
  await search.fill("dark");
  await search.press("ArrowDown");
  await search.press("ArrowUp");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await search.fill("no such thing");
  await expect(page.getByText("Nothing has that name.")).toBeVisible();
  await search.press("Escape");
  await expect(search).toBeHidden();
});
