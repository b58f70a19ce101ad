import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { makeField } from "../src/core/field.ts";
import { ising } from "../src/core/lattice/ising/ising.ts";
import { structureFactor } from "../src/core/lattice/structure-factor.ts";
import { varyModel } from "../src/core/lattice/vary.ts";
import { createHostSimulation } from "../src/cpu/lattice/simulation.ts";
import { isosurface } from "../src/cpu/surfaces/isosurface.ts";
import { App } from "./helpers/app.ts";
import { seriousFaults } from "./helpers/axe.ts";
import { differingPixels, rowColors } from "./helpers/pixels.ts";

test("a lattice runs in the page, is steered, drawn on and charted, and repeats to the bit", async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.goto("/");
  await page.getByRole("button", { name: "Simulate" }).click();
  const dialog = page.getByRole("dialog", { name: "Simulate" });
  await dialog.getByRole("radio", { name: /^Ising model, Metropolis/ }).check();
  await dialog.getByRole("textbox", { name: "Size" }).fill("big");
  await expect(dialog.getByText("Write the size as lengths, such as 256 × 256.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Run" })).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Size" }).fill("64 × 64");
  await dialog.getByRole("textbox", { name: "Seed" }).fill("7");
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Run" }).click();

  const simulation = page.getByRole("region", { name: "Simulation" });
  const rate = simulation.getByText(/^Sweep \d/);
  await expect(rate).toHaveText(/^Sweep [1-9]\d+, .* a second\.$/);
  await simulation.getByRole("button", { name: "Pause" }).click();
  await expect(rate).toHaveText(/paused\.$/);
  // Sweeps that were on their way are still measured.
  const sweeps = async () => Number(/\d+/.exec((await rate.textContent()) ?? "")?.[0]);
  let before = 0;
  await expect(async () => {
    const former = before;
    before = await sweeps();
    expect(before).toBe(former);
  }).toPass({ intervals: [700] });
  await simulation.getByRole("button", { name: "One sweep" }).click();
  await expect(rate).toHaveText(`Sweep ${before + 1}, paused.`);

  // What the same seed gives on the CPU after as many sweeps, to all digits of the saved chart.
  const saved = async (name: string, which = 0): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      simulation.getByRole("button", { name }).nth(which).click(),
    ]);
    return readFile(await download.path(), "utf8");
  };
  const parameters = { temperature: 2.269 };
  const plan = ising.on([64, 64], parameters);
  const same = createHostSimulation(plan, { seed: [7, 0], start: "ordered", parameters });
  const expected = (await same.run(before + 1, parameters)).map(plan.quantitiesOf);
  await expect(simulation.getByRole("img", { name: /^energy a site/ })).toBeVisible();
  // The last sweep's sums may still be on their way from the GPU.
  await expect(async () => {
    const rows = (await saved("Energy as CSV")).trim().split("\n").slice(1);
    expect(rows.map((row) => Number(row.split(",")[2]))).toEqual(expected.map(({ energy }) => energy));
  }).toPass();
  expect(await saved("Energy as SVG")).toContain("<svg");

  // The structure factor of the same spins.
  await simulation.getByText("Structure factor and domain size").click();
  await expect(
    simulation.getByText(new RegExp(`^After sweep ${before + 1}, domains are [\\d.]+ sites wide\\.$`)),
  ).toBeVisible();
  const structure = structureFactor([64, 64], await same.field("spin"));
  const numbersOf = (csv: string) =>
    csv
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").slice(1).map(Number));
  const shells = Array.from(structure.wavenumbers, (k, shell) => [k, structure.values[shell]]);
  expect(numbersOf(await saved("Structure factor of Spin as CSV"))).toEqual(shells);
  expect(numbersOf(await saved("Domain size as CSV"))).toEqual([[before + 1, structure.domainSize]]);
  await simulation.getByText("Structure factor and domain size").click();

  // Two colours and the grid's lines over them, crisp: no pixel between two sites is a mixture.
  const canvas = page.getByRole("application", { name: "3-D view" });
  const box = (await canvas.boundingBox())!;
  const [x, y] = [Math.round(box.width * 0.3), Math.round(box.height / 2) + 3];
  const paused = await canvas.screenshot();
  expect(new Set(await rowColors(page, paused, [x, y], 200)).size).toBeLessThanOrEqual(8);

  await simulation.getByText("Draw with the pointer").click();
  const radius = simulation.getByRole("textbox", { name: "Brush radius as a number" });
  await radius.fill("12");
  await radius.press("Enter");
  await expect(simulation.getByRole("combobox", { name: "Brush value" })).toHaveValue("1");
  await simulation.getByText("Erase", { exact: true }).click();
  await canvas.click({ position: { x: Math.round(box.width * 0.45), y } });
  // Twelve sites to each side, most of which were up: a disc of a tenth of the picture, and more.
  await expect(async () => {
    expect(await differingPixels(page, paused, await canvas.screenshot())).toBeGreaterThan(0.02);
  }).toPass();
  const erased = await canvas.screenshot();
  await simulation.getByText("Erase", { exact: true }).click();
  await canvas.click({ position: { x: Math.round(box.width * 0.45), y } });
  await expect(async () => {
    expect(await differingPixels(page, erased, await canvas.screenshot())).toBeGreaterThan(0.02);
  }).toPass();

  // A temperature that varies: each run is what its seed gives on the CPU.
  await simulation.getByText("Vary a parameter").click();
  for (const [label, value] of [
    ["Values", "3"],
    ["Sizes", "4 × 4"],
    ["Sweeps of a run", "60"],
  ]) {
    await simulation.getByRole("textbox", { name: label }).fill(value);
  }
  await simulation.getByRole("button", { name: "Measure" }).click();
  await expect(simulation.getByRole("img", { name: "Energy by temperature, of 3 runs" })).toBeVisible();
  const varied = await varyModel(
    ising,
    {
      sizes: [[4, 4]],
      parameter: "temperature",
      values: [1.7, 2.27, 2.84],
      parameters: {},
      sweeps: 60,
      discard: 12,
      seed: 1,
      start: undefined,
    },
    async (of, options) => createHostSimulation(of, options),
  );
  const points = (await saved("Energy as CSV", 1)).trim().split("\n").slice(1);
  expect(points.map((row) => row.split(",").slice(1, 3).map(Number))).toEqual(
    varied.map(({ value, measures }) => [value, measures.energy.mean]),
  );

  const temperature = simulation.getByRole("textbox", { name: "Temperature as a number" });
  await temperature.fill("50");
  await temperature.press("Enter");
  await simulation.getByRole("button", { name: "Run" }).click();
  await expect(simulation.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(rate).not.toHaveText(`Sweep ${before + 1}, paused.`);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousFaults(page)).toEqual([]);
});

test("a lattice of three axes opens with its domain walls, which slices and expressions follow", async ({
  page,
}) => {
  // Shaders of three kinds of layers, twice.
  test.setTimeout(240_000);
  await page.goto("/");
  const app = new App(page);
  await page.getByRole("button", { name: "Simulate" }).click();
  const dialog = page.getByRole("dialog", { name: "Simulate" });
  await dialog.getByRole("radio", { name: /^Ising model, Metropolis/ }).check();
  await dialog.getByRole("textbox", { name: "Size" }).fill("16 × 16 × 16");
  await dialog.getByRole("textbox", { name: "Temperature" }).fill("3.5");
  await dialog.getByRole("button", { name: "Run" }).click();
  const simulation = page.getByRole("region", { name: "Simulation" });
  await expect(simulation.getByText(/^Sweep [1-9]/)).toBeVisible();
  await simulation.getByRole("button", { name: "Pause" }).click();
  await expect(app.status).toContainText(/Domain walls: [1-9][\d,]* triangles at isovalue 0$/);

  // The walls between the spins of as many sweeps on the CPU.
  const parameters = { temperature: 3.5 };
  const size = [16, 16, 16] as const;
  const same = createHostSimulation(ising.on(size, parameters), {
    seed: [1, 0],
    start: "ordered",
    parameters,
  });
  const grid = { kind: "uniform", dims: size, origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
  let done = 0;
  const walls = async (sweeps: number): Promise<number> => {
    if (sweeps > done) await same.run(sweeps - done, parameters);
    done = sweeps;
    const spins = Float32Array.from(await same.field("spin"));
    return (await isosurface(grid, makeField(grid, "spin", "node", 1, spins), 0)).indices.length / 3;
  };
  const shown = async () => {
    const { layers, lattice } = await app.state();
    return {
      sweeps: lattice?.state.sweeps ?? 0,
      triangles: layers.list.map(({ id }) => layers.facts[id]?.counts?.triangles),
    };
  };
  const expectShown = (of: (walls: number) => number[]) =>
    expect(async () => {
      await app.settled();
      const { sweeps, triangles } = await shown();
      expect(triangles).toEqual(of(await walls(sweeps)));
    }).toPass();
  await expectShown((walls) => [walls]);

  const add = async (kind: string): Promise<void> => {
    await page.getByRole("button", { name: "Add layer" }).click();
    await page.getByRole("menuitem", { name: kind, exact: true }).click();
    await app.settled();
  };
  await add("Slice");
  await add("Expression cut");
  const text = page.getByRole("textbox", { name: "Cut where" });
  await text.fill("2 * spin + 1");
  await text.press("Enter");
  await app.settled();
  const slice = 2 * 15 * 15;
  await expectShown((walls) => [walls, slice, walls]);
  const before = await app.picture.screenshot();
  const { sweeps } = await shown();
  await simulation.getByRole("button", { name: "One sweep" }).click();
  await expect(simulation.getByText(`Sweep ${sweeps + 1}, paused.`)).toBeVisible();
  await expectShown((walls) => [walls, slice, walls]);
  expect(await differingPixels(page, before, await app.picture.screenshot())).toBeGreaterThan(0.05);

  // It is remembered a moment after it has come to rest.
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem("crinkle.view")))
    .toContain(`"sweeps":${sweeps + 1}`);
  await page.reload();
  await expect(simulation.getByText(`Sweep ${sweeps + 1}, paused.`)).toBeVisible();
  await expectShown((walls) => [walls, slice, walls]);

  // Two of its axes are an image, cut where the third is put; no sweep is run for it.
  const axes = simulation.getByRole("group", { name: "Shown axes" });
  await axes.getByRole("combobox", { name: "Along y" }).selectOption("2");
  await expect(axes.getByRole("combobox", { name: "Along z" })).toHaveValue("1");
  await axes.getByRole("combobox", { name: "Along z" }).selectOption("");
  await expect(page.getByText("uniform, 16 × 16", { exact: true })).toBeVisible();
  await app.settled();
  await expect(simulation.getByText(`Sweep ${sweeps + 1}, paused.`)).toBeVisible();
  await expect(simulation.getByRole("img", { name: /^energy a site.* the latest is/ })).toBeVisible();
  const row = await app.picture.screenshot();
  const place = simulation.getByRole("textbox", { name: "Axis 1 at as a number" });
  await place.fill("9");
  await place.press("Enter");
  await expect(async () => {
    expect(await differingPixels(page, row, await app.picture.screenshot())).toBeGreaterThan(0.01);
  }).toPass();
});
