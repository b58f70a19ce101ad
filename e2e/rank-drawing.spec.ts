import { type BrowserContext, expect, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { seriousFaults } from "./helpers/axe.ts";
import { differingPixels } from "./helpers/pixels.ts";
import { RoomPage } from "./helpers/room.ts";

test.describe.configure({ mode: "serial", timeout: 120_000 });

/** Pixels along the edges of triangles: ranks compute normals of their borders in other places of the same field. */
const edges = 0.002;

let context: BrowserContext;
let app: App;
let host: RoomPage;
let ada: RoomPage;
let alone: Buffer;
let seenAlone: Buffer;
let trianglesAlone: number;

test.beforeAll(async ({ browser }) => {
  // Several pages of a software adapter draw at once.
  context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
  app = await App.start(await context.newPage());
  host = new RoomPage(app.page);
  alone = await savedPicture();
  seenAlone = await app.picture.screenshot();
  trianglesAlone = (await app.surface())?.counts?.triangles ?? 0;
  await app.page.getByRole("button", { name: "Share" }).click();
  await expect(host.ranks).toHaveCount(1);
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).setChecked(true);
  const link = await host.link();
  ada = await RoomPage.ask(context, link, "Ada");
  await host.member("Ada");
  await RoomPage.ask(context, link, "Bo");
  await host.member("Bo");
});

test.afterAll(() => context.close());

const savedPicture = async () => (await app.download(() => app.savePicture.click())).bytes;

/** Triangles that each rank made of the layer, once so many ranks have made it. */
async function madeBy(ranks: number): Promise<readonly number[]> {
  const reports = async () => {
    const { list, facts } = (await app.state()).layers;
    return facts[list[0].id]?.made?.ranks.map(({ triangles }) => triangles);
  };
  await expect.poll(async () => (await reports())?.length, { timeout: 60_000 }).toBe(ranks);
  await app.settled();
  return (await reports())!;
}

const slider = () => app.page.getByRole("slider", { name: /Isovalue/ });

/** There and back: a rank that came late takes part from the next surface on. */
async function nudge(): Promise<void> {
  await app.page.keyboard.press("Escape");
  await slider().press("ArrowRight");
  await app.settled();
  await slider().press("ArrowLeft");
  await app.settled();
  await app.page.getByRole("button", { name: /^Share: / }).click();
}

/** What is known of a derived field that is shown: its statistics, its histogram, and its value in the picture's middle. */
async function measured(name: string) {
  await app.settled();
  const probed = await app.probeMiddle(name);
  return app.page.evaluate(
    async ([name, probed]) => {
      const { engine, store } = window.crinkle;
      const { statistics } = store.getState().data.derived.find((field) => field.name === name)!;
      const histogram = await engine.histogram(name);
      const { blob } = await engine.exportField(name, "npy");
      return { statistics, histogram, probed, file: [...new Uint8Array(await blob.arrayBuffer())].join() };
    },
    [name, probed] as const,
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test("the ranks make the isosurface, and the picture is that of one rank", async () => {
  const bars = host.panel.getByRole("list", { name: /^Triangles of .* by rank$/ }).getByRole("listitem");
  await nudge();
  const made = await madeBy(3);
  expect(made.every((triangles) => triangles > 0)).toBe(true);
  expect(sum(made)).toBe(trianglesAlone);
  await expect(bars).toHaveCount(3);
  for (const colorScheme of ["light", "dark"] as const) {
    await app.page.emulateMedia({ colorScheme });
    expect(await seriousFaults(app.page), colorScheme).toEqual([]);
  }
  await app.page.emulateMedia({ colorScheme: "light" });
  await app.page.keyboard.press("Escape");
  expect(await differingPixels(app.page, alone, await savedPicture())).toBeLessThan(edges);
  await expect(app.page.getByText("3 ranks ·")).toBeVisible();
});

test("ranks that draw their parts give the picture of one rank, are probed, and gather the surface for a file", async () => {
  await app.page.getByRole("button", { name: "Share: 3 ranks" }).click();
  const sentence = host.panel.getByText(
    /^This page gathers the surface, .*, because pictures would take more data/,
  );
  await expect(sentence).toBeVisible();
  await host.panel.getByText("Draw on ranks").click();
  await expect(host.panel.getByText(/^3 ranks draw their parts: .* a picture; gathered,/)).toBeVisible();
  await app.page.keyboard.press("Escape");
  await app.settled();
  expect((await app.surface())?.counts?.triangles).toBe(trianglesAlone);
  expect(await differingPixels(app.page, alone, await savedPicture())).toBeLessThan(edges);
  // A picture of half the size, as while the camera moves, differs in ten times as many pixels.
  const differing = async () => differingPixels(app.page, seenAlone, await app.picture.screenshot());
  await expect.poll(differing).toBeLessThan(edges);
  await app.page.evaluate(() => void window.crinkle.engine.orbit(20, 5));
  await expect.poll(differing).toBeGreaterThan(0.02);
  await app.page.evaluate(() => void window.crinkle.engine.orbit(-20, -5));
  await expect.poll(differing).toBeLessThan(edges);

  const probed = await app.page.evaluate(() => {
    const { clientWidth, clientHeight } = document.querySelector("canvas")!;
    return window.crinkle.engine.probe(clientWidth / 2, clientHeight / 2);
  });
  expect(probed?.isovalue).toBe((await app.surface())?.isovalue);
  const exported = await app.download(() => app.exportMesh.click());
  // STL: 84 bytes, and 50 for each triangle.
  expect(exported.bytes.length).toBe(84 + 50 * trianglesAlone);
  await app.page.getByRole("button", { name: "Share: 3 ranks" }).click();
  await host.panel.getByText("Gather", { exact: true }).click();
  await expect(host.panel.getByText(/and draws it, as you have chosen\.$/)).toBeVisible();
  await app.page.keyboard.press("Escape");
});

test("ranks draw a layer where this is chosen while they make it, and the page is settled only when it is shown", async () => {
  const [wasShown, isByRanks] = await app.page.evaluate(async () => {
    const { engine, store } = window.crinkle;
    const { list, selected } = store.getState().layers;
    // Another layer: what is shown already is drawn anew whenever another way is chosen.
    const layer = { ...list.find(({ id }) => id === selected)!, id: "late" };
    const draw = (method: "ranks" | "host") =>
      engine.drawByRanks({ isUsed: true, tints: false, method, blocks: null });
    let isShown = false;
    const shown = engine.setLayer(layer).then(() => {
      isShown = true;
    });
    await engine.settled();
    const wasShown = isShown;
    await shown;
    await engine.removeLayer("late");

    const { layers } = store.getState();
    store.setState({ layers: { ...layers, list: [...list, { ...layer, id: "later" }] } });
    const again = engine.setLayer({ ...layer, id: "later" });
    await draw("ranks");
    await again;
    await engine.settled();
    const isByRanks = store.getState().layers.facts.later?.made?.choice.isByRanks;
    store.setState({ layers });
    await engine.removeLayer("later");
    await draw("host");
    await engine.settled();
    return [wasShown, isByRanks];
  });
  expect([wasShown, isByRanks]).toEqual([true, true]);
});

test("the surface follows the isovalue, and is clipped and exported like one rank's", async () => {
  await slider().focus();
  for (let k = 0; k < 12; k++) await app.page.keyboard.press("ArrowRight");
  await app.settled();
  const moved = await app.surface();
  const isovalue = moved?.isovalue ?? Number.NaN;
  const byRanks = moved?.counts?.triangles;
  const exported = await app.download(() => app.exportMesh.click());
  await app.page.getByRole("button", { name: "Share: 3 ranks" }).click();
  await host.panel.getByRole("switch", { name: "The ranks compute and draw" }).setChecked(false);
  await expect(host.panel.getByText("This page computes and draws alone.")).toBeVisible();
  await app.settled();
  expect((await app.surface())?.isovalue).toBe(isovalue);
  expect((await app.surface())?.counts?.triangles).toBe(byRanks);
  expect(exported.bytes.length).toBeGreaterThan(10_000);
});

test("each rank's part has a colour of its own when a person asks for it", async () => {
  await host.panel.getByRole("switch", { name: "The ranks compute and draw" }).setChecked(true);
  await madeBy(3);
  await host.panel.getByRole("switch", { name: "Colour by rank" }).setChecked(true);
  await app.settled();
  const { scalarBars } = await app.state();
  expect(scalarBars.map(({ bar }) => [bar.title, bar.min, bar.max])).toEqual([["rank", -0.5, 2.5]]);
  await app.page.keyboard.press("Escape");
  expect(await differingPixels(app.page, alone, await savedPicture())).toBeGreaterThan(0.02);
  await app.page.getByRole("button", { name: "Share: 3 ranks" }).click();
  await host.panel.getByRole("switch", { name: "Colour by rank" }).setChecked(false);
});

test("what a person types is computed by the ranks, with the values that this page finds alone", async () => {
  const definition = "magnitude(curl(velocity))";
  await app.page.keyboard.press("Escape");
  await app.computeText(`w = ${definition}`);
  await expect(app.status).toContainText("on 3 ranks");
  const derived = app.page.getByRole("list", { name: "Derived fields" }).getByRole("listitem");
  await expect(derived.filter({ hasText: "w = " })).toContainText(/computed on 3 ranks in [\d.]+\sm?s/);
  await expect.poll(async () => (await app.surface())?.field).toBe("w");
  await expect.poll(async () => (await app.surface())?.counts?.triangles).toBeGreaterThan(0);
  const isovalue = (await app.surface())!.isovalue;
  const byRanks = await measured("w");

  await app.page.getByRole("button", { name: "Share: 3 ranks" }).click();
  await expect(host.panel.getByRole("list", { name: "Fields computed by the ranks" })).toContainText(
    "w: comp",
  );
  await host.panel.getByRole("switch", { name: "The ranks compute and draw" }).setChecked(false);
  await app.page.keyboard.press("Escape");
  await app.settled();
  await app.computeText(`alone = ${definition}`);
  await app.page.evaluate((value) => window.crinkle.layers.showAt("alone", value), isovalue);
  const alone = await measured("alone");
  expect(alone.histogram.ranks).toBeUndefined();
  expect(byRanks).toEqual({
    ...alone,
    statistics: { ...alone.statistics, mean: expect.closeTo(alone.statistics.mean, 6) },
    histogram: { ...alone.histogram, ranks: 3 },
    probed: alone.probed.map((value) => expect.closeTo(value, 5)),
  });
  await app.page.getByRole("button", { name: "Share: 3 ranks" }).click();
  await host.panel.getByRole("switch", { name: "The ranks compute and draw" }).setChecked(true);
});

test("a rank that is lost while it draws is made up for by the others, and the last rank draws alone", async () => {
  await host.panel.getByText("Draw on ranks").click();
  await expect(host.panel.getByText(/^3 ranks draw their parts/)).toBeVisible();
  await app.page.evaluate(() => void window.crinkle.engine.orbit(20, 5));
  await ada.page.close();
  await expect(host.ranks).toHaveCount(2);
  await app.page.keyboard.press("Escape");
  await slider().press("ArrowLeft");
  expect(await madeBy(2)).toHaveLength(2);
  const byTwo = await savedPicture();
  await app.page.getByRole("button", { name: "Share: 2 ranks" }).click();
  await host.panel.getByRole("button", { name: "Leave" }).click();
  await expect.poll(async () => (await app.state()).layers.list.map(({ id }) => id).length).toBe(1);
  await app.settled();
  const { list, facts } = (await app.state()).layers;
  expect(facts[list[0].id]?.made).toBeUndefined();
  expect(facts[list[0].id]?.counts?.triangles).toBeGreaterThan(0);
  expect(await differingPixels(app.page, await savedPicture(), byTwo)).toBeLessThan(edges);
});
