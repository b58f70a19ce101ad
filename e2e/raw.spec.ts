import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
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

/** 12³ bytes of a ball; another length leaves some at the end. */
const ball = (length = 12 ** 3) =>
  Buffer.from(
    Array.from({ length }, (_, i) => {
      const distance = Math.hypot((i % 12) - 5.5, (Math.floor(i / 12) % 12) - 5.5, Math.floor(i / 144) - 5.5);
      return Math.max(0, Math.round(255 - 30 * distance));
    }),
  );
const upload = (name: string, buffer: Buffer) =>
  app.openInput.setInputFiles({ name, mimeType: "application/octet-stream", buffer });
const dialog = () => page.getByRole("dialog", { name: "How is this volume laid out?" });

async function fillPoints(n: number): Promise<void> {
  for (const axis of ["x", "y", "z"]) {
    await dialog()
      .getByRole("textbox", { name: `Points along ${axis}` })
      .fill(String(n));
  }
}

test("a file of unknown format is offered to be opened as raw numbers; the error leaves when it is", async () => {
  await upload("volume.xyz", ball());
  await expect(app.alert).toContainText(/ Open as raw numbers…$/);
  await page.getByRole("button", { name: "Open as raw numbers…" }).click();
  await expect(dialog()).toBeVisible();
  await expect(app.alert).toHaveText("");
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toBeHidden();
});

test("a header opens with its data beside it, and an image within gzip as it is", async () => {
  const fixture = (name: string) => readFileSync(`src/data/testing/fixtures/${name}`);
  const given = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });
  const shown = /Loaded .*: 4 × 3 × 2 points, 1 field\b.*[1-9]\d* triangles/;
  await app.openInput.setInputFiles(
    ["detached-meta.bin", "detached.mhd"].map((name) => given(name, fixture(name))),
  );
  await app.loaded("detached.mhd");
  await expect(app.status).toContainText(shown);
  await upload("brain.nii.gz", gzipSync(fixture("float.nii")));
  await app.loaded("brain.nii");
  await expect(app.status).toContainText(shown);
  await expect(page.getByText("Lengths are in millimetres.")).toBeVisible();
  await upload("photo.gif", Buffer.from("GIF89a", "latin1"));
  await expect(app.alert).toContainText("“photo.gif” is a GIF picture. Save it as PNG.");
  await expect(page.getByRole("button", { name: "Open as raw numbers…" })).toBeHidden();
});

test("the layout is asked for in whole words, and the volume opened with it", async () => {
  await upload("ball.raw", ball());
  const type = dialog().getByRole("combobox", { name: "Type" });
  await type.selectOption("u8: 8-bit unsigned");
  await dialog().getByRole("combobox", { name: "Byte order" }).selectOption("Little-endian");
  // The longest label, with the arrow beside it, has room.
  const isClipped = await type.evaluate((select: HTMLSelectElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    if (!context) throw new Error("no 2d context");
    context.font = font;
    const widths = [...select.options].map(({ label }) => context.measureText(label).width);
    const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return Math.max(...widths) > room;
  });
  expect(isClipped).toBe(false);
  await fillPoints(13);
  await expect(dialog()).toContainText("2,197 bytes needed");
  await expect(dialog().getByRole("button", { name: "Open volume" })).toBeDisabled();
  await fillPoints(12);
  await dialog().getByRole("button", { name: "Open volume" }).click();
  await app.loaded("ball.raw");
  await expect(app.status).toContainText(/ball: [1-9][\d,]* triangles|[1-9][\d,]* triangles/);
});

test("bytes at the end that are not asked for are left unread", async () => {
  await upload("tail.raw", ball(2000));
  await dialog().getByRole("combobox", { name: "Type" }).selectOption("u8: 8-bit unsigned");
  await fillPoints(12);
  await expect(dialog()).toContainText("272 at the end would not be read");
  await dialog().getByRole("button", { name: "Open volume" }).click();
  await app.loaded("tail.raw");
  await expect(page.getByText("The last 272 bytes of the file were not read.")).toBeVisible();
});
