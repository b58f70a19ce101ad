import { describe, expect, test } from "vitest";
import { greyPaint, lightBackground, makeViewer } from "./testing/make-viewer.ts";
import { quadMesh, type TestMesh, uploadMesh } from "./testing/meshes.ts";
import { decodePicture, type Pixel, pixelDistance } from "./testing/pixels.ts";
import { uploadPoints } from "./testing/points.ts";

/** A face of the cube [−1, 1]³, or a quad between, whose colour is `grey` from 0 to 1. */
const sheet = (z: number, grey: number): TestMesh => quadMesh(1, 1, z, [grey, grey, grey, grey]);

/** Away from the lines of the box, which run through the middle. */
const place = [150, 110] as const;

async function pixelOf(
  sheets: readonly { readonly z: number; readonly grey: number; readonly opacity: number }[],
  isSoftware = true,
): Promise<Pixel> {
  const { viewer, device } = await makeViewer(undefined, { isSoftware });
  viewer.resetView("+z");
  for (const { z, grey, opacity } of sheets) {
    const surface = viewer.addSurface();
    surface.setPaint({ ...greyPaint, opacity });
    surface.setBuffers(uploadMesh(device, sheet(z, grey)));
  }
  await viewer.frameDrawn();
  return (await decodePicture(await viewer.picture(1))).at(...place);
}

/** `over` at an opacity before `under`. */
const blend = (over: number, opacity: number, under: number) => opacity * over + (1 - opacity) * under;
const grey = (value: number): Pixel => [value, value, value];

describe("translucent surfaces", () => {
  test("one sheet is blended with what is behind it, with and without multi-sampling", async () => {
    const [red, green, blue] = lightBackground.map((c) => blend(102, 0.4, c));
    const expected: Pixel = [red, green, blue];
    for (const isSoftware of [true, false]) {
      const pixel = await pixelOf([{ z: 1, grey: 0.4, opacity: 0.4 }], isSoftware);
      expect(pixelDistance(pixel, expected)).toBeLessThanOrEqual(3);
    }
  });

  test("before an opaque sheet it tints it, behind it is hidden", async () => {
    const back = { z: -1, grey: 0.8, opacity: 1 };
    const before = await pixelOf([{ z: 1, grey: 0.4, opacity: 0.5 }, back]);
    expect(pixelDistance(before, grey(blend(102, 0.5, 204)))).toBeLessThanOrEqual(3);
    const behind = await pixelOf([
      { z: -1, grey: 0.2, opacity: 0.5 },
      { z: 1, grey: 0.8, opacity: 1 },
    ]);
    expect(pixelDistance(behind, grey(204))).toBeLessThanOrEqual(3);
  });

  test("the nearer of two sheets counts more, whatever their order", async () => {
    const near = { z: 1, grey: 0.1, opacity: 0.5 };
    const far = { z: -1, grey: 0.9, opacity: 0.5 };
    const pixels = [await pixelOf([near, far]), await pixelOf([far, near])];
    expect(pixelDistance(pixels[0], pixels[1])).toBeLessThanOrEqual(1);
    const expected = blend(25, 0.5, blend(230, 0.5, lightBackground[0]));
    // The sum of weighted colours takes the nearer sheet for more than half of what covers the background.
    expect(Math.abs(pixels[0][0] - expected)).toBeLessThan(40);
    expect(pixels[0][0]).toBeLessThan(expected);
  });

  test("points are summed up with sheets, with and without multi-sampling", async () => {
    for (const isSoftware of [true, false]) {
      const { viewer, surface, device } = await makeViewer(undefined, { isSoftware });
      viewer.resetView("+z");
      surface.setPaint({ ...greyPaint, opacity: 0.5 });
      surface.setBuffers(uploadMesh(device, sheet(1, 0.4)));
      const cloud = await viewer.addPoints();
      cloud.setSize(40);
      cloud.setPaint({ ...greyPaint, opacity: 0.5 });
      cloud.setBuffer(uploadPoints(device, [-0.3, 0.3, 1, 0.8]));
      const picture = await decodePicture(await viewer.picture(1));
      const half = 120 - 0.14 * 240;
      // Both are as far away and count the same.
      const expected = blend(0.5 * (102 + 204), 0.75, lightBackground[0]);
      expect(Math.abs(picture.at(160 - 0.3 * half, 120 - 0.3 * half)[0] - expected)).toBeLessThan(4);
      expect(Math.abs(picture.at(220, 80)[0] - blend(102, 0.5, lightBackground[0]))).toBeLessThan(4);
    }
  });

  test("buffers that come and go, sizes that change and a hidden surface leave no trace", async () => {
    const { viewer, surface, device } = await makeViewer();
    viewer.resetView("+z");
    surface.setPaint({ ...greyPaint, opacity: 0.5 });
    surface.setBuffers(uploadMesh(device, sheet(1, 0)));
    const covered = (await decodePicture(await viewer.picture(1))).at(...place);
    expect(covered[0]).toBeLessThan(145);
    const large = await decodePicture(await viewer.picture(2));
    expect(pixelDistance(large.at(300, 220), covered)).toBeLessThanOrEqual(2);
    await viewer.frameDrawn();
    surface.setVisible(false);
    expect((await decodePicture(await viewer.picture(1))).at(...place)).toEqual(lightBackground);
    surface.setVisible(true);
    surface.setPaint(greyPaint);
    expect((await decodePicture(await viewer.picture(1))).at(...place)[0]).toBeLessThan(45);
  });

  test("a plane keeps its positive side, of opaque and of translucent surfaces", async () => {
    const { viewer, surface, device } = await makeViewer();
    viewer.resetView("+z");
    surface.setBuffers(uploadMesh(device, sheet(1, 0)));
    for (const opacity of [1, 0.5]) {
      surface.setPaint({ ...greyPaint, opacity, clip: { normal: [1, 0, 0], offset: 0 } });
      const picture = await decodePicture(await viewer.picture(1));
      expect(picture.at(150, 110)).toEqual(lightBackground);
      expect(picture.at(170, 110)[0]).toBeLessThan(145);
    }
  });
});
