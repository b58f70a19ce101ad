import { expect, type Locator, test } from "@playwright/test";
import { seriousFaults } from "./helpers/axe.ts";

/** The colours of a picture's elements. */
const elementsOf = (picture: Locator): Promise<number[]> =>
  picture.evaluate((canvas: HTMLCanvasElement) => {
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no 2d context");
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return [...new Uint32Array(data.buffer)];
  });

test("the page of layouts shows what transforms make of a picture, a cube and a row", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Layouts" }).click();
  const layouts = page.getByRole("dialog", { name: "Layouts" });
  const shape = layouts.getByRole("textbox", { name: "Shape" });
  const transform = layouts.getByRole("textbox", { name: "Transform" });
  const formula = layouts.getByRole("definition").first();
  const [before, after] = ["Before", "After"].map((name) => layouts.getByRole("img", { name, exact: true }));

  await expect(formula).toHaveText("out[y, x] = in[y, 2·(x mod 64) + ⌊x / 64⌋]");
  await shape.fill("[6,10]");
  await transform.fill("shift(x, 3) | flip(y)");
  await expect(formula).toHaveText("out[y, x] = in[5 − y, (x − 3) mod 10]");
  await expect(layouts.getByRole("status")).toHaveText(
    "0 of 60 elements stay where they are; the transform can be undone.",
  );
  const [source, result] = [await elementsOf(before), await elementsOf(after)];
  expect(new Set(source).size).toBeGreaterThan(20);
  expect(result).toEqual(
    Array.from({ length: 60 }, (_, k) => source[10 * (5 - Math.floor(k / 10)) + ((k + 7) % 10)]),
  );

  await transform.fill("crinkle(x, 4)");
  await expect(
    layouts.getByText(
      "crinkle(0, 4) needs a length that 4 divides; axis 0 has 10 (line 1, column 1). crinkle(0, 4, pad) adds 2 zeros.",
    ),
  ).toBeVisible();
  await expect(after).toBeHidden();

  await layouts.getByRole("radio", { name: "Row" }).check();
  const rows = "Before: 0 1 2 3 4 5 6 7 8 9 10 11. After: 0 2 4 6 8 10 1 3 5 7 9 11.";
  await expect(layouts.getByRole("img", { name: rows, exact: true })).toBeVisible();
  await layouts.getByRole("button", { name: "pshift(x, 3)" }).press("Enter");
  await expect(layouts.getByRole("status")).toHaveText(
    "0 of 12 elements stay where they are; 3 are filled with 0; 3 are left out.",
  );
  expect(await seriousFaults(page)).toEqual([]);

  await layouts.getByRole("radio", { name: "Cube" }).check();
  await layouts.getByRole("button", { name: "crinkle(x, 2) | crinkle(y, 2) | crinkle(z, 2)" }).click();
  // On top y is 7, which was odd: where x and z were both even or both odd, cells are of the second colour.
  await expect(async () => {
    const tops = await after.evaluate((svg) =>
      [...svg.querySelectorAll("polygon")].slice(0, 64).map((cell) => cell.getAttribute("fill")),
    );
    expect(new Set(tops.filter((_, k) => k % 8 < 4 === k < 32)).size).toBe(1);
    expect(new Set(tops).size).toBe(2);
  }).toPass();

  await page.goBack();
  await expect(layouts).toBeHidden();
});

test("the page of layouts fits a phone, in the dark", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto("/#layouts");
  const layouts = page.getByRole("dialog", { name: "Layouts" });
  await expect(layouts.getByRole("img", { name: "After" })).toBeVisible();
  const widths = await layouts.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(widths[0]).toBe(widths[1]);
  expect(await seriousFaults(page)).toEqual([]);
  await context.close();
});
