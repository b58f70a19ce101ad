import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { App } from "./helpers/app.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

let page: Page;
let app: App;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  app = await App.start(page);
});
test.afterAll(() => page.close());

const vti = (attributes: string, points: string, extent = "0 1 0 1 0 1") =>
  `<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian"><ImageData WholeExtent="${extent}" ` +
  `Origin="0 0 0" Spacing="1 1 1"><Piece Extent="${extent}"><PointData><DataArray type="Float32" Name="f" ` +
  `${attributes} format="ascii">${points}</DataArray></PointData></Piece></ImageData></VTKFile>`;

const sample = readFileSync("public/samples/taylor-green-64.vti");

const files: readonly { name: string; bytes: Buffer; message: RegExp }[] = [
  { name: "empty.vti", bytes: Buffer.alloc(0), message: /“empty\.vti” is empty \(0 bytes\)/ },
  { name: "cut.vti", bytes: sample.subarray(0, sample.length >> 1), message: /cut\.vti/ },
  { name: "short.vti", bytes: Buffer.from(vti("", "1 2 3")), message: /short\.vti|“f”/ },
  {
    name: "notes.md",
    bytes: Buffer.from("hello"),
    message: /notes\.md.*format that Crinkle does not know/,
  },
  { name: "notes.txt", bytes: Buffer.from("hello"), message: /notes\.txt.*points need two or three/ },
  { name: "picture.vtk", bytes: Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), message: /picture\.vtk/ },
  {
    name: "mesh.vtk",
    bytes: Buffer.from("# vtk DataFile Version 3.0\nm\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 0 float\n"),
    message: /unstructured grid/,
  },
];

for (const { name, bytes, message } of files) {
  test(`${name} is refused in a sentence, and the picture stays`, async () => {
    const before = await app.state();
    await app.openInput.setInputFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
    await expect(app.alert).toContainText(message);
    await app.settled();
    const after = await app.state();
    expect(after.data.dataSet?.name).toBe(before.data.dataSet?.name);
    expect(after.layers.list).toEqual(before.layers.list);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(app.alert).toHaveText("");
  });
}

for (const { text, message } of [
  { text: "w = velocty + 1", message: /“velocty” \(line 1, column 5\).*Did you mean velocity\?/s },
  { text: "w = (velocity", message: /A closing \) is missing for the \( at line 1, column 5/ },
  { text: "w = curl(pressure)", message: /given a scalar.*It takes a vector/s },
]) {
  test(`${text} is refused with its place underlined`, async () => {
    const before = (await app.state()).data.derived.length;
    await app.type(text);
    await app.compute.click();
    const shown = page.getByRole("region", { name: "Expressions" }).or(app.alert);
    await expect(shown.filter({ hasText: message }).first()).toBeVisible();
    await expect(page.locator(".cm-lintRange-error")).toBeVisible();
    expect((await app.state()).data.derived.length).toBe(before);
  });
}

test("an isovalue outside the range gives an empty surface, and says so", async () => {
  await app.setIsovalue(1e6);
  await expect(app.status).toContainText("q: the surface is empty at isovalue");
  await app.setIsovalue(1);
  await expect(app.status).toContainText("91,528 triangles");
});

test("constant fields, NaN and flat grids are taken as they are", async () => {
  const open = async (name: string, text: string) => {
    await app.openInput.setInputFiles({ name, mimeType: "text/xml", buffer: Buffer.from(text) });
    await app.loaded(name);
    return (await app.state()).data.dataSet;
  };
  const constant = await open("constant.vti", vti("", "7 7 7 7 7 7 7 7"));
  expect(constant?.fields[0].statistics).toMatchObject({ min: 7, max: 7, mean: 7 });
  const holes = await open("holes.vti", vti("", "0 1 2 3 nan 5 inf 7"));
  expect(holes?.fields[0].statistics).toMatchObject({ min: 0, max: 7, nan: 1, infinite: 1 });
  const flat = await open("flat.vti", vti("", "1 2 3 4", "0 1 0 1 0 0"));
  expect(flat?.grid?.dims).toEqual([2, 2, 1]);
  await app.computeText("s = f + 1");
  expect((await app.state()).data.derived[0].statistics).toMatchObject({ min: 2, max: 5, mean: 3.5 });
});
