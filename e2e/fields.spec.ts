import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { seriousFaults } from "./helpers/axe.ts";
import { type MadeField, vtiFile } from "./helpers/vti.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  app = await App.start(page);
});
test.afterAll(() => page.close());

const fromMiddle = (x: number, y: number, z: number) => Math.hypot(x - 0.5, y - 0.5, z - 0.5);

async function open(
  name: string,
  fields: readonly MadeField[],
  dims?: [number, number, number],
): Promise<void> {
  await app.openInput.setInputFiles(vtiFile(name, fields, dims));
  await app.loaded(name);
}

test("a field whose name has a space is chosen by that name, and nowhere reads quoted", async () => {
  await open("spaces.vti", [
    { name: "X Velocity", at: fromMiddle },
    { name: "wall shear", components: 3, at: (x, y, z) => [x, y * z, z] },
  ]);
  await page.getByRole("button", { name: /^Remove layer/ }).click();
  await expect(page.getByText("No surface yet.")).toBeVisible();
  await app.surfaceField.selectOption("X Velocity");
  await app.colorBy.selectOption("magnitude(wall shear)");
  await app.settled();
  await expect(app.status).toContainText(/^Loaded.* X Velocity: [1-9][\d,]* triangles at isovalue/);
  await expect(page.getByLabel(/^Scalar bar: magnitude\(wall shear\) from/)).toBeVisible();
  await app.computeText('double = 2 * "X Velocity"');
  await expect(app.status).toContainText("double: ");
});

test("values on a large offset stay distinct everywhere", async () => {
  await open("offset.vti", [
    { name: "pressure", type: "Float64", at: (x, y, z) => 101325 + fromMiddle(x, y, z) },
  ]);
  const row = page.getByRole("row", { name: /^pressure/ });
  await expect(row.getByRole("cell").nth(0)).toHaveText(/^101325\.1/);
  await expect(row.getByRole("cell").nth(2)).toHaveText(/^101325\.8/);
  await app.setIsovalue(101325.4375);
  await expect(app.status).toContainText(/triangles at isovalue 101325\.438/);
  await expect(page.getByRole("textbox", { name: "Exact value" })).toHaveValue("101325.4375");
  await expect(app.isovalue).toHaveAttribute("aria-valuetext", "101325.438");
  await app.colorBy.selectOption("pressure");
  await app.settled();
  const bar = page.getByLabel(/^Scalar bar: pressure from 101325\.1\d* to 101325\.8/);
  const labels = await bar.getByRole("listitem").allTextContents();
  expect(new Set(labels).size).toBe(5);
});

const picture = () => page.getByRole("main");

test("a constant field says in picture and status that it has no isosurface", async () => {
  await open("constant.vti", [{ name: "pressure", at: () => 3 }]);
  const sentence = "pressure is 3 everywhere: it has no isosurface.";
  await expect(picture().getByText(sentence).first()).toBeVisible();
  await expect(app.status).toContainText(sentence);
  await expect(page.getByRole("button", { name: "Show a surface" })).toBeHidden();
  await app.surfaceField.selectOption("pressure");
  await app.settled();
  await expect(picture().getByText(sentence).first()).toBeVisible();
  await expect(app.status).toContainText(sentence);
  await app.computeText("r = pressure * x");
  await expect(app.status).toContainText(/r: [1-9][\d,]* triangles/);
});

test("a field without finite values says so, also when it is chosen beside another", async () => {
  const holes = { name: "pressure", at: () => Number.NaN };
  const sentence = "pressure has no finite values: it has no isosurface.";
  await open("holes.vti", [holes]);
  await expect(picture().getByText(sentence).first()).toBeVisible();
  await expect(app.status).toContainText(sentence);
  await open("both.vti", [holes, { name: "T", at: fromMiddle }]);
  await expect(app.status).toContainText(/T: [1-9][\d,]* triangles/);
  await app.surfaceField.selectOption("pressure");
  await app.settled();
  await expect(app.status).toContainText(sentence);
  await expect(picture().getByText(sentence).first()).toBeVisible();
  await app.surfaceField.selectOption("T");
  await expect(app.status).toContainText(/T: [1-9][\d,]* triangles/);
});

test("numbers are listed with their values, histograms are drawn, and later texts use them", async () => {
  await open("ramp.vti", [{ name: "ramp", at: (x) => x }], [11, 4, 4]);
  await app.computeText("p90 = quantile(ramp, 0.9); at = max_position(ramp); h = histogram(ramp, 5)");
  await expect(app.status).toContainText(/Computed p90 = 0\.9, at = \{1, 0, 0\}, h in/);
  const list = page.getByRole("list", { name: "Numbers and histograms" });
  await expect(list.getByRole("listitem").first()).toContainText("p90 = quantile(ramp, 0.9)0.9");
  await expect(
    list.getByRole("img", { name: "Histogram h: 5 bins from 0 to 1, at most 48 values in a bin" }),
  ).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await app.computeText("above = ramp > p90");
  const { data } = await app.state();
  expect(data.derived.at(-1)?.statistics.mean).toBeCloseTo(1 / 11, 6);
  await list.getByRole("button", { name: "Remove h" }).click();
  await expect(list.getByRole("img")).toHaveCount(0);
  await expect(app.status).toContainText("Removed h");
});

test("a field's whole name is shown where the table shortens it, and of many fields some are found", async () => {
  const longName = (i: number) => `mass_fraction_of_species_${i}_averaged_over_the_whole_time_interval`;
  const many = Array.from({ length: 300 }, (_, i) => ({ name: longName(i), at: fromMiddle }));
  await open("many.vti", many, [3, 3, 3]);
  const table = page.getByRole("table", { name: "Fields" });
  await expect(table.getByRole("row")).toHaveCount(301);
  const button = table.getByRole("button", { name: longName(7), exact: true });
  await expect(button).toHaveAttribute("title", new RegExp(longName(7)));
  const panel = await page.getByRole("complementary", { name: "Panels" }).boundingBox();
  const widths = await table.evaluate((element) => [element.scrollWidth, element.parentElement?.clientWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  expect((await table.locator("..").boundingBox())?.height).toBeLessThan(0.5 * (panel?.height ?? 0));
  await page.getByRole("searchbox", { name: "Filter fields" }).fill("SPECIES_299");
  await expect(table.getByRole("row")).toHaveCount(2);
  await table.getByRole("button", { name: longName(299) }).click();
  await expect(table.getByRole("img", { name: /^Histogram of mass_fraction_of_species_299/ })).toBeVisible();
});

test("several f64 fields share one note", async () => {
  const fields = ["a", "b", "c"].map((name) => ({ name, type: "Float64" as const, at: fromMiddle }));
  await open("wide.vti", fields);
  const notes = page.getByRole("region", { name: "Data" }).getByText("the GPU computes with f32");
  await expect(notes).toHaveCount(1);
  await expect(notes).toContainText("3 fields are stored as f64");
});

test("surface field, isovalue and slider are in sight at 1280 × 720 without scrolling", async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.reload();
  await expect(app.status).toContainText(/[1-9][\d,]* triangles/);
  await app.settled();
  const inSight = async (): Promise<void> => {
    const exact = page.getByRole("textbox", { name: "Exact value" });
    for (const control of [app.surfaceField, exact, app.isovalue])
      await expect(control).toBeInViewport({ ratio: 1 });
  };
  await inSight();
  const fields = Array.from({ length: 40 }, (_, i) => ({ name: `f${i}`, at: fromMiddle }));
  await open("forty.vti", fields, [4, 4, 4]);
  await app.computeText("s = 2 * f1");
  await inSight();
});

test("a file of tensors has a text that computes", async () => {
  const stress = (x: number, y: number, z: number) => [x, 0, 0, 0, y, 0, 0, 0, z];
  await page.evaluate(() => window.crinkle.expressions.setText(""));
  await open("stress.vti", [{ name: "stress", components: 9, at: stress }]);
  await expect(app.expression).toContainText("t = trace(stress)");
  await app.compute.click();
  await expect(app.status).toContainText(/t: [1-9][\d,]* triangles at isovalue 1\.5/);
  expect((await app.state()).data.derived[0].statistics).toMatchObject({ min: 0, max: 3 });
});
