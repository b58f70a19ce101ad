import { describe, expect, test } from "vitest";
import { greyPaint, lightBackground, makeViewer } from "./testing/make-viewer.ts";
import { quadMesh, sphereMesh, uploadMesh } from "./testing/meshes.ts";
import { decodePicture, pixelDistance } from "./testing/pixels.ts";
import type { Viewer } from "./viewer.ts";

const size = { width: 160, height: 120, pixelRatio: 1 };
const ball = sphereMesh(0.7, 16, (x) => 0.5 + 0.5 * x);
const sheet = quadMesh(1, 1, 0.1, [0.1, 0.2, 0.3, 0.4]);

/** A ball and a sheet through it, seen from aside: the ball as an image that another viewer has drawn, or as it is. */
async function ballAndSheet(asImage: boolean, opacity = 1) {
  const { viewer, surface, device } = await makeViewer(size);
  viewer.orbit(25, 10);
  surface.setPaint({ ...greyPaint, opacity });
  surface.setBuffers(uploadMesh(device, sheet));
  if (!asImage) {
    const other = viewer.addSurface();
    other.setPaint(greyPaint);
    other.setBuffers(uploadMesh(device, ball));
    return { viewer, surface, other };
  }
  const image = await viewer.addDepthImage();
  image.show(await drawnElsewhere(viewer, 1));
  return { viewer, surface, other: image };
}

async function drawnElsewhere({ camera }: Viewer, pixelRatio: number) {
  const { viewer, show } = await makeViewer(size, {}, false);
  show(ball);
  return viewer.drawOffscreen(camera, { ...size, pixelRatio });
}

const bytesOf = async (viewer: Viewer) => new Uint8Array(await (await viewer.picture(1)).arrayBuffer());

describe("an image with depth", () => {
  test("is as if what it shows were drawn here, before and behind others and the box", async () => {
    for (const opacity of [1, 0.5]) {
      const together = await ballAndSheet(false, opacity);
      const composited = await ballAndSheet(true, opacity);
      expect(await bytesOf(composited.viewer)).toEqual(await bytesOf(together.viewer));
      composited.other.setVisible(false);
      expect(await bytesOf(composited.viewer)).not.toEqual(await bytesOf(together.viewer));
    }
  });

  test("covers the view at any size: where it is smaller, edges are as coarse as its pixels", async () => {
    const { viewer, other } = await ballAndSheet(true);
    const fine = await decodePicture(await viewer.picture(1));
    if (!("depthAt" in other)) throw new Error("no image");
    other.show(await drawnElsewhere(viewer, 1 / 3));
    const coarse = await decodePicture(await viewer.picture(1));
    let differing = 0;
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++)
        if (pixelDistance(fine.at(x, y), coarse.at(x, y)) > 24) differing++;
    const drawn = fine.count((pixel) => pixelDistance(pixel, lightBackground) > 24);
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(0.12 * drawn);
  });

  test("is hit where it is nearest, where the surface that it shows would be", async () => {
    const [together, composited] = [await ballAndSheet(false), await ballAndSheet(true)];
    let [inImage, inSheet, inNothing] = [0, 0, 0];
    for (let x = 8; x < size.width; x += 16) {
      for (let y = 8; y < size.height; y += 16) {
        const expected = await together.viewer.pick(x + 0.5, y + 0.5);
        const hit = await composited.viewer.pick(x + 0.5, y + 0.5);
        expect(hit === undefined).toBe(expected === undefined);
        if (!hit || !expected) inNothing++;
        else if (hit.drawable === composited.other) {
          inImage++;
          expect(expected.drawable).toBe(together.other);
          expect(hit.part).toBeUndefined();
        } else {
          inSheet++;
          expect(expected.drawable).toBe(together.surface);
          expect(hit.part).toBe(expected.part);
        }
        // A pixel is 0.034 wide: corners of triangles are rounded to parts of the pixels that are drawn.
        const off = [0, 1, 2].map((axis) => (hit?.position[axis] ?? 0) - (expected?.position[axis] ?? 0));
        expect(Math.hypot(...off)).toBeLessThan(0.0034);
      }
    }
    expect(Math.min(inImage, inSheet, inNothing)).toBeGreaterThan(1);
  });
});
