import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { differingPixels } from "./helpers/pixels.ts";
import { Tangle } from "./helpers/tangle.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

const points = 24;
const tangle = new Tangle(points);

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  page = await context.newPage();
  app = await App.start(page);
  await page.evaluate((size) => window.crinkle.data.open({ kind: "sample", sample: "tangle", size }), points);
  await app.settled();
});
test.afterAll(() => page.context().close());

async function add(kind: string): Promise<void> {
  await page.getByRole("button", { name: "Add layer" }).click();
  await page.getByRole("menuitem", { name: kind, exact: true }).click();
  await app.settled();
}

/** A number field by its name. */
async function setNumber(name: string, value: number): Promise<void> {
  const field = page.getByRole("textbox", { name, exact: true });
  await field.fill(String(value));
  await field.press("Enter");
  await app.settled();
}

const undo = () => page.getByRole("button", { name: /^Undo/ });
const redo = () => page.getByRole("button", { name: /^Redo/ });
const layers = () => page.getByRole("list", { name: "Layers" }).getByRole("listitem");
const sight = () => app.picture.screenshot();

test("a slice shows all its cells, and moves with its slider", async () => {
  // Adding unfolds it.
  await page.getByRole("button", { name: "Layers", exact: true }).click();
  await add("Slice");
  await expect(app.status).toContainText(
    `Slice across z: ${(2 * 23 * 23).toLocaleString("en-US")} triangles`,
  );
  await expect(layers()).toHaveCount(2);
  const before = await sight();
  const position = page.getByRole("slider", { name: "Position" });
  await position.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("PageUp");
  await app.settled();
  expect(await differingPixels(page, before, await sight())).toBeGreaterThan(0.01);
});

test("a plane, a sphere and an expression cut, and a threshold keeps whole cells", async () => {
  await add("Plane cut");
  // Midway between two planes of nodes: two triangles in each cell.
  await expect(app.status).toContainText(`Plane cut: ${(2 * 23 * 23).toLocaleString("en-US")} triangles`);
  await add("Sphere cut");
  await expect(app.status).toContainText(/Sphere cut: [1-9][\d,]* triangles/);
  await add("Expression cut");
  await page.getByRole("textbox", { name: "Cut where" }).fill("tangle");
  await page.getByRole("textbox", { name: "Cut where" }).press("Enter");
  await app.settled();
  await setNumber("Cut value", 0.5);
  await expect(app.status).toContainText(/Cut by tangle: [1-9][\d,]* triangles/);
  const counted = async () => {
    const { list, facts } = (await app.state()).layers;
    return list.map(({ id }) => facts[id]?.counts?.triangles);
  };
  // The same surface as the isosurface below it.
  const counts = await counted();
  expect(counts.at(-1)).toBe(counts[0]);
  await add("Threshold");
  await setNumber("Lowest value", -1);
  await setNumber("Highest value", 1);
  const faces = tangle.outerFaces(-1, 1);
  expect(faces).toBeGreaterThan(1000);
  await expect(app.status).toContainText(
    `Threshold of tangle: ${(2 * faces).toLocaleString("en-US")} triangles`,
  );
});

test("layers are hidden, ordered and removed, and all of it is taken back and done again", async () => {
  const titles = () => layers().locator("button[aria-describedby]").allInnerTexts();
  const before = await sight();
  await page.getByRole("button", { name: "Hide layer Threshold of tangle" }).click();
  await app.settled();
  await expect(app.status).toContainText("Threshold of tangle is hidden");
  expect(await differingPixels(page, before, await sight())).toBeGreaterThan(0.005);
  await page.getByRole("button", { name: "Move Threshold of tangle down" }).click();
  expect((await titles())[1]).toContain("Threshold");
  const threshold = page.getByRole("button", { name: "Threshold: Threshold of tangle" });
  await threshold.press("Alt+ArrowUp");
  expect((await titles())[0]).toContain("Threshold");
  await layers().first().dragTo(layers().nth(1));
  expect((await titles())[1]).toContain("Threshold");
  await threshold.press("Delete");
  await expect(layers()).toHaveCount(5);
  for (let i = 0; i < 5; i++) await page.keyboard.press("ControlOrMeta+z");
  await expect(layers()).toHaveCount(6);
  // The last of the five; each waits for the one before.
  await expect(page.getByRole("button", { name: /^Redo hide Threshold of tangle/ })).toBeVisible();
  await app.settled();
  expect((await titles())[0]).toContain("Threshold");
  expect(await differingPixels(page, before, await sight())).toBe(0);
  for (let i = 0; i < 5; i++) await redo().click();
  await expect(layers()).toHaveCount(5);
});

test("a layer is renamed by keys and by mouse, and the focus stays beside what is removed", async () => {
  const slice = page.getByRole("button", { name: /^Slice: / });
  const field = page.getByRole("textbox", { name: /^Title of Slice/ });
  await slice.press("F2");
  await expect(field).toBeFocused();
  await field.fill("Never");
  await field.press("Escape");
  await expect(slice).toBeFocused();
  await expect(slice).toContainText("Slice across z");
  await slice.dblclick();
  await field.fill("Midplane");
  await field.press("Enter");
  await expect(slice).toBeFocused();
  await expect(slice).toContainText("Midplane");
  await slice.press("Delete");
  await expect(layers().locator("button:focus")).toContainText("tangle");
  const count = await layers().count();
  for (let i = 0; i < count; i++) await page.keyboard.press("Delete");
  await expect(page.getByRole("button", { name: "Add layer" })).toBeFocused();
  for (let i = 0; i <= count; i++) await undo().click();
  await expect(layers()).toHaveCount(count + 1);
  await expect(slice).toContainText("Midplane");
  await undo().click();
  await expect(slice).toContainText("Slice across z");
  await app.settled();
});

test("a drag over the histogram is one step of the history, and several isovalues are one layer", async () => {
  await page.getByRole("button", { name: "Isosurface: tangle" }).click();
  const { isovalue } = (await app.surface()) ?? {};
  await app.isovalue.scrollIntoViewIfNeeded();
  const box = await app.isovalue.locator("..").boundingBox();
  if (!box) throw new Error("the slider's track has no box");
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 10);
  await page.mouse.down();
  for (let i = 0; i < 10; i++) await page.mouse.move(box.x + (0.3 + 0.01 * i) * box.width, box.y + 10);
  await page.mouse.up();
  await app.settled();
  expect((await app.surface())?.isovalue).not.toBe(isovalue);
  await undo().click();
  await app.settled();
  expect((await app.surface())?.isovalue).toBe(isovalue);
  const one = (await app.surface())?.counts?.triangles ?? 0;
  await page.getByRole("button", { name: "Add isovalue" }).click();
  await app.settled();
  await expect(app.status).toContainText(/triangles at 2 isovalues/);
  expect((await app.surface())?.counts?.triangles).toBeGreaterThan(one);
  await page.getByRole("button", { name: "Remove isovalue" }).click();
  await app.settled();
  await expect(app.status).toContainText(/triangles at isovalue 0\.5/);
});

test("opacity lets what is behind through, and a clip plane takes half away", async () => {
  // It is the isosurface once more, and would cover it.
  await page.getByRole("button", { name: "Remove layer Cut by tangle" }).click();
  await app.settled();
  const opaque = await sight();
  await setNumber("Opacity as a number", 0.3);
  const translucent = await sight();
  expect(await differingPixels(page, opaque, translucent)).toBeGreaterThan(0.02);
  const opacity = async () => (await app.state()).layers.list[0].paint.opacity;
  const exact = page.getByRole("textbox", { name: "Opacity as a number" });
  await exact.press("ControlOrMeta+z");
  expect(await opacity()).toBe(1);
  await exact.press("ControlOrMeta+Shift+z");
  expect(await opacity()).toBe(0.3);
  await app.settled();
  await page.getByRole("switch", { name: "Clip by a plane" }).check();
  await app.settled();
  expect(await differingPixels(page, translucent, await sight())).toBeGreaterThan(0.02);
  const handle = page.getByRole("button", { name: "Clip: drag it along its normal" });
  await handle.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  const { layers } = await app.state();
  expect(layers.list[0].clip?.origin[0]).not.toBe(0);
});

test("a pointer that rests shows the values, and a click reads the cell", async () => {
  const box = await app.picture.boundingBox();
  if (!box) throw new Error("the picture has no box");
  await page.mouse.move(box.x + box.width * 0.42, box.y + box.height / 2);
  await expect
    .poll(async () => (await app.state()).probe.hover?.report.values.find(({ name }) => name === "tangle"))
    .toBeDefined();
  const { hover } = (await app.state()).probe;
  if (!hover) throw new Error("nothing is hovered over");
  const shown = hover.report.values.find(({ name }) => name === "tangle")?.values[0] ?? Number.NaN;
  expect(Math.abs(shown - tangle.at(hover.report.position))).toBeLessThan(1e-3);
  await page.mouse.down();
  await page.mouse.up();
  const card = page.getByRole("region", { name: "Picked" });
  await expect(card).toContainText("Cell");
  const { picked } = (await app.state()).probe;
  const cell = picked?.position.map((x) => Math.floor((x + 3) / tangle.spacing + 1e-4));
  expect(picked?.cell?.every((c, d) => Math.abs(c - (cell?.[d] ?? Number.NaN)) <= 1)).toBe(true);
  await card.getByRole("button", { name: "Copy" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    `cell\t${picked?.cell?.join("\t")}`,
  );
  await card.getByRole("button", { name: "Close the picked values" }).click();
  await app.picture.focus();
  await page.keyboard.press("p");
  await expect.poll(async () => (await app.state()).probe.hover !== undefined).toBe(true);
  await page.keyboard.press("Enter");
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: "Close the picked values" }).click();
});

/** What makes the picture. */
const picture = async () => {
  const { layers, data, camera } = await app.state();
  return {
    layers: layers.list,
    selected: layers.selected,
    derived: data.derived.map(({ name }) => name),
    camera,
  };
};

test("a reload, a saved file and a link all give the same picture", async () => {
  // Each way compiles the kernels of every kind anew.
  for (const title of ["Sphere cut", "Slice across z"]) {
    await page.getByRole("button", { name: `Remove layer ${title}` }).click();
  }
  await app.picture.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await page.mouse.move(5, 5);
  await app.picture.blur();
  await app.settled();
  await page.waitForTimeout(400);
  const before = await picture();
  const seen = await sight();
  const isSame = async () => {
    await expect.poll(async () => (await picture()).layers.length).toBe(before.layers.length);
    await app.loaded(/Tangle/);
    expect(await picture()).toEqual(before);
    expect(await differingPixels(page, seen, await sight())).toBeLessThan(1e-3);
  };
  await page.reload();
  await isSame();

  await page.getByRole("button", { name: /^View:/ }).click();
  const saved = await app.download(() => page.getByRole("menuitem", { name: "Save view" }).click());
  expect(saved.name).toMatch(/^Tangle-24.*\.crinkle\.json$/);
  await page.getByRole("button", { name: /^View:/ }).click();
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await expect(app.status).toContainText("Copied a link");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#view=[\w-]+$/);

  await page.evaluate(() => window.crinkle.data.open({ kind: "sample", sample: "tangle", size: 8 }));
  await page.keyboard.press("Escape");
  const path = test.info().outputPath("view.crinkle.json");
  await (await import("node:fs/promises")).writeFile(path, saved.bytes);
  await page.getByLabel("Open view").setInputFiles(path);
  await isSame();

  await page.goto("about:blank");
  await page.evaluate(() => sessionStorage?.clear()).catch(() => {});
  await page.goto(link);
  await isSame();
  expect(page.url()).not.toContain("#");
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ format: "crinkle-view", version: 1 });
});

test("a damaged view names the place, and leaves everything as it is", async () => {
  const before = await picture();
  const view = JSON.stringify({
    format: "crinkle-view",
    version: 1,
    source: { kind: "sample", sample: "tangle" },
    programs: [],
    layers: [{ id: "a", isVisible: true, shape: { kind: "slice", axis: 5, position: 0 } }],
  });
  const file = { name: "bad.crinkle.json", mimeType: "application/json", buffer: Buffer.from(view) };
  await page.getByLabel("Open view").setInputFiles(file);
  await expect(app.alert).toContainText("layers[0].shape.axis must be one of 0, 1, 2, but is 5.");
  expect(await picture()).toEqual(before);
});

test("a view of a file asks for that file by its name, and comes with it", async () => {
  const file = {
    name: "small.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("x,y,z,T\n0,0,0,1\n1,1,1,2\n"),
  };
  await app.openInput.setInputFiles(file);
  await app.loaded("small.csv");
  await setNumber("Point size as a number", 12);
  await page.getByRole("button", { name: /^View:/ }).click();
  await expect(page.getByText("A link cannot contain your file")).toBeVisible();
  const saved = await app.download(() => page.getByRole("menuitem", { name: "Save view" }).click());
  await page.evaluate(() => window.crinkle.data.open({ kind: "sample", sample: "tangle", size: 8 }));
  const view = { name: "v.crinkle.json", mimeType: "application/json", buffer: saved.bytes };
  await page.getByLabel("Open view").setInputFiles(view);
  await expect(app.alert).toContainText("This view needs the file small.csv from your computer.");
  await expect(page.getByRole("button", { name: "Choose small.csv…" })).toBeVisible();
  await app.openInput.setInputFiles(file);
  await app.loaded("small.csv");
  expect((await app.state()).layers.list[0].shape).toEqual({ kind: "points", size: 12 });
  await expect(app.alert).toHaveText("");
});

test("a file of the web is opened by its address, and has a link", async () => {
  await page.getByRole("button", { name: "Samples" }).click();
  const address = new URL("samples/taylor-green-64.vti", page.url()).href;
  await page.getByLabel("A file on the web").fill(address);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await app.loaded("taylor-green-64.vti");
  await expect(app.status).toContainText(/pressure: [1-9][\d,]* triangles/);
  expect(await page.evaluate(() => window.crinkle.views.link())).toContain("#view=");
});

test("points are coloured by a column or their density, and a click shows the nearest ones", async () => {
  const points = Array.from({ length: 300 }, (_, i) => {
    const [a, b, c] = [2.399963 * i, (i % 17) / 17, (i % 29) / 29];
    return [(0.5 + 0.5 * b) * Math.cos(a), (0.5 + 0.5 * b) * Math.sin(a), c] as const;
  });
  const rows = points.map((point, i) => [...point, i].join(","));
  const csv = {
    name: "ring.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`x,y,z,T\n${rows.join("\n")}\n`),
  };
  await app.openInput.setInputFiles(csv);
  await app.loaded("ring.csv");
  await expect(page.getByRole("region", { name: "Data" })).toContainText("300, in 3 dimensions");
  await expect(page.getByLabel("Scalar bar: T from 0 to 299")).toBeVisible();
  await app.colorBy.selectOption("Local density");
  await app.settled();
  await expect(page.getByLabel(/^Scalar bar: density/)).toBeVisible();
  await expect(app.exportMesh).toBeDisabled();
  await setNumber("Point size as a number", 20);
  const box = await app.picture.boundingBox();
  if (!box) throw new Error("the picture has no box");
  const card = page.getByRole("region", { name: "Picked" });
  for (let i = 0; i < 40 && (await app.state()).probe.picked === undefined; i++) {
    await page.mouse.click(box.x + box.width * (0.3 + 0.01 * i), box.y + 0.55 * box.height);
    await app.settled();
  }
  await expect(card).toContainText("Nearest points");
  const { picked } = (await app.state()).probe;
  const at = picked?.position ?? [0, 0, 0];
  const distances = points.map((point) => Math.hypot(...point.map((x, d) => x - at[d])));
  const nearest = distances
    .map((distance, index) => ({ distance, index }))
    .sort((a, b) => a.distance - b.distance);
  picked?.nearest?.forEach(({ distance }, i) => {
    expect(distance).toBeCloseTo(nearest[i].distance, 5);
  });
  expect(picked?.nearest?.[0].index).toBe(nearest[0].index);
  expect(picked?.nearest?.length).toBeGreaterThan(3);
});
