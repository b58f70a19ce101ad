import { describe, expect, test } from "vitest";
import { testGpu } from "../gpu/testing/context.ts";
import { quadMesh, uploadMesh } from "./testing/meshes.ts";
import { decodePicture, pixelDistance } from "./testing/pixels.ts";
import { Viewer } from "./viewer.ts";

const viewport = { width: 320, height: 240, pixelRatio: 1 };
const greys = Uint8Array.from({ length: 768 }, (_, i) => Math.floor(i / 3));

async function makeViewer() {
  const gpu = await testGpu();
  const canvas = new OffscreenCanvas(viewport.width, viewport.height);
  const viewer = await Viewer.create(gpu.device, canvas, viewport, {
    theme: "light",
    isSoftware: true,
  });
  viewer.setGrid([-1, 1, -1, 1, -1, 1]);
  viewer.setColors({ table: greys, range: [0, 1], nanColor: "#ff00ff", solid: "#3080d0" });
  return { viewer, gpu };
}

describe("viewer", () => {
  test("draws a surface from GPU buffers in the colours of its scalars", async () => {
    const { viewer, gpu } = await makeViewer();
    viewer.resetView("+z");
    viewer.setSurface(uploadMesh(gpu.device, quadMesh(1, 1, 0, [0.5, 0.5, 0.5, 0.5])));
    await viewer.frameDrawn();
    const picture = await decodePicture(await viewer.picture(1));
    expect([picture.width, picture.height]).toEqual([320, 240]);
    expect(pixelDistance(picture.at(160, 120), [128, 128, 128])).toBeLessThanOrEqual(3);
    expect(pixelDistance(picture.at(2, 2), [248, 249, 250])).toBe(0);
    viewer.dispose();
  });
});
