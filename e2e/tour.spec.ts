import { basename } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";
import { readPlyHeader, readStl } from "./helpers/mesh.ts";
import { measurePng } from "./helpers/pixels.ts";
import { sharedDataPath } from "./helpers/shared-data.ts";

// One page for the whole tour, as a person would have it: each step finds what the former left.
test.describe.configure({ mode: "serial", timeout: 300_000 });

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  app = await App.start(page);
});
test.afterAll(() => page.close());

/** Skips where the data sets are not beside the project. */
function dataPath(name: string): string {
  const path = sharedDataPath(name);
  test.skip(path === undefined, `../shared/data/${name} is not beside this project`);
  return path as string;
}

/** Skips a step that needs an earlier step's data set. */
async function requireOpen(name: string): Promise<void> {
  dataPath(name);
  expect((await app.state()).data.dataSet?.name).toBe(name);
}

test("a dropped file shows its grid, fields and statistics", async () => {
  await app.drop(dataPath("carotid.vtk"));
  const { data } = await app.state();
  expect(data.dataSet?.grid).toMatchObject({
    kind: "uniform",
    dims: [76, 49, 45],
    spacing: [1, 1, 1],
    bounds: [100, 175, 80, 128, 1, 45],
  });
  const vectors = data.dataSet?.fields.find(({ name }) => name === "vectors");
  // numpy over the arrays that VTK 9.1 reads.
  expect(vectors?.statistics).toMatchObject({ min: 0, max: 22.694927991153424, nan: 0 });
  expect(vectors?.statistics.mean).toBeCloseTo(0.16748736891581445, 9);
  const panel = page.getByRole("region", { name: "Data" });
  await expect(panel).toContainText("76 × 49 × 45");
  await expect(panel).toContainText("vectors");
  await expect(panel).toContainText("22.7");
});

test("an expression is completed while it is typed, and computed by Ctrl+Enter", async () => {
  await requireOpen("carotid.vtk");
  await app.type("q = ");
  await page.keyboard.type("q_crit", { delay: 20 });
  const proposal = page.getByRole("option", { name: /q_criterion/ });
  await expect(proposal).toBeVisible();
  await app.type("q = q_criterion(vectors)");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(app.status).toContainText(/Computed q in .*, 1 kernel on the GPU/);
  const [q] = (await app.state()).data.derived;
  // vtkGradientFilter of VTK 9.1, ComputeQCriterionOn.
  expect(q).toMatchObject({ name: "q", components: 1, centering: "node" });
  expect(q.statistics.min / -137.65818786621094).toBeCloseTo(1, 5);
  expect(q.statistics.max / 25.588272094726562).toBeCloseTo(1, 5);
  expect(q.statistics.mean / -0.04170759390147447).toBeCloseTo(1, 4);
  await expect(page.getByRole("list", { name: "Derived fields" })).toContainText("q = q_criterion(vectors)");
});

test("its isosurface is drawn, coloured, and follows the slider", async () => {
  await requireOpen("carotid.vtk");
  await app.choose(app.surfaceField, "q");
  await app.choose(app.colorBy, "magnitude(vectors)");
  await app.setIsovalue(0.5);
  // vtkFlyingEdges3D of VTK 9.1 on VTK's own Q-criterion.
  await expect(app.status).toContainText("q: 7,820 triangles at isovalue 0.5");
  const { colors, drawn } = await measurePng(page, await app.picture.screenshot());
  expect(drawn).toBeGreaterThan(0.02);
  expect(colors).toBeGreaterThan(30);
  await expect(page.getByLabel(/^Scalar bar: magnitude\(vectors\)/)).toBeVisible();

  await app.setIsovalue(1);
  await expect(app.status).toContainText("q: 4,940 triangles at isovalue 1");
  await app.isovalue.focus();
  await page.keyboard.press("PageUp");
  await expect(app.status).not.toContainText("4,940 triangles");
  await app.settled();
});

test("the mesh and the picture are saved", async () => {
  await requireOpen("carotid.vtk");
  await app.setIsovalue(0.5);
  await expect(app.status).toContainText("q: 7,820 triangles");
  const stl = await app.download(() => app.exportMesh.click());
  expect(stl.name).toBe("carotid-q.stl");
  const mesh = readStl(stl.bytes);
  expect(mesh.triangles).toBe(7820);
  // vtkMassProperties; a cell's polygon is bent, and its area depends on the diagonal that cuts it.
  expect(Math.abs(mesh.area / 2353.846660247992 - 1)).toBeLessThan(0.01);
  const box = [100, 175, 80, 128, 1, 45];
  expect(mesh.bounds.every((b, i) => Math.abs(b - box[i]) < 1e-3)).toBe(true);

  // The vortices, where q is high, are what is solid.
  expect(mesh.volume).toBeGreaterThan(500);
  const reverse = page.getByRole("switch", { name: "Reverse facets" });
  await reverse.check();
  const inside = readStl((await app.download(() => app.exportMesh.click())).bytes);
  expect(inside).toMatchObject({ triangles: mesh.triangles, bounds: mesh.bounds });
  expect(inside.volume).toBeCloseTo(-mesh.volume, 6);
  await reverse.uncheck();

  await page.getByLabel("Mesh format").selectOption("ply");
  const ply = await app.download(() => app.exportMesh.click());
  expect(readPlyHeader(ply.bytes)).toMatchObject({
    vertices: 4255,
    faces: 7820,
    properties: expect.arrayContaining(["x", "nx", "red", "green", "blue"]),
  });

  await page.getByLabel("Mesh format").selectOption("VTP, all fields");
  const vtp = await app.download(() => app.exportMesh.click());
  expect(vtp.name).toBe("carotid-q.vtp");
  const arrays = [...vtp.bytes.toString("latin1").matchAll(/<DataArray [^>]* Name="([^"]+)"/g)];
  expect(arrays.map(([, name]) => name)).toEqual(
    expect.arrayContaining(["scalars", "vectors", "q", "vtkOriginalCellIds"]),
  );

  const seen = await app.picture.boundingBox();
  await page.getByLabel("Picture size").selectOption("2");
  const picture = await app.download(() => app.savePicture.click());
  expect(picture.name).toMatch(/\.png$/);
  const { width, height, colors } = await measurePng(page, picture.bytes);
  expect([width, height]).toEqual([2 * Math.round(seen?.width ?? 0), 2 * Math.round(seen?.height ?? 0)]);
  expect(colors).toBeGreaterThan(30);
});

// vtkFlyingEdges3D of VTK 9.1.
for (const { file, field, dims, isovalue, triangles } of [
  { file: "ironProt.vtk", field: "scalars", dims: [68, 68, 68], isovalue: 64.5, triangles: "26,192" },
  { file: "vase.vti", field: "SLCImage", dims: [115, 101, 75], isovalue: 30.5, triangles: "55,056" },
]) {
  test(`${file} is opened by the dialog and contoured as VTK does`, async () => {
    const path = dataPath(file);
    const chooser = page.waitForEvent("filechooser");
    await page.getByText("Open data set", { exact: true }).click();
    await (await chooser).setFiles(path);
    await app.loaded(basename(path));
    expect((await app.state()).data.dataSet?.grid?.dims).toEqual(dims);
    await app.choose(app.surfaceField, field);
    await app.setIsovalue(isovalue);
    await expect(app.status).toContainText(`${field}: ${triangles} triangles at isovalue ${isovalue}`);
    expect((await measurePng(page, await app.picture.screenshot())).drawn).toBeGreaterThan(0.02);
  });
}
