import { describe, expect, test } from "vitest";
import { greyPaint, lightBackground, makeViewer } from "./testing/make-viewer.ts";
import { quadMesh, uploadMesh } from "./testing/meshes.ts";
import { decodePicture, lightDistance, pixelDistance } from "./testing/pixels.ts";
import { uploadPoints } from "./testing/points.ts";

/** Half the side of the cube's front face on the screen of 320 × 240 in the fitted view from +z, in pixels. */
const faceHalf = 120 - 0.14 * 240;

describe("points", () => {
  test("are balls of their size on the screen, lit, in the table's colours, opaque and translucent", async () => {
    for (const isSoftware of [true, false]) {
      const { viewer, device } = await makeViewer(undefined, { isSoftware });
      viewer.resetView("+z");
      const cloud = await viewer.addPoints();
      cloud.setPaint(greyPaint);
      cloud.setSize(40);
      cloud.setBuffer(uploadPoints(device, [0.5, 0.5, 1, 0.7, -0.5, -0.5, 1, Number.NaN]));
      const [x, y] = [160 + 0.5 * faceHalf, 120 - 0.5 * faceHalf];
      const picture = await decodePicture(await viewer.picture(1));
      expect(lightDistance(picture.at(x, y), [178, 178, 178])).toBeLessThan(0.03);
      cloud.setVisible(false);
      const bare = await decodePicture(await viewer.picture(1));
      cloud.setVisible(true);
      let covered = 0;
      for (let v = -24; v < 24; v++) {
        for (let u = -24; u < 24; u++)
          if (pixelDistance(picture.at(x + u, y + v), bare.at(x + u, y + v)) > 20) covered++;
      }
      expect(covered / (Math.PI * 20 ** 2)).toBeGreaterThan(0.95);
      expect(covered / (Math.PI * 20 ** 2)).toBeLessThan(1.08);
      const [red, green, blue] = picture.at(160 - 0.5 * faceHalf, 120 + 0.5 * faceHalf);
      expect(red).toBeGreaterThan(green + 150);
      expect(blue).toBeGreaterThan(green + 150);

      cloud.setPaint({ ...greyPaint, opacity: 0.5 });
      const faint = await decodePicture(await viewer.picture(1));
      const expected = 0.5 * picture.at(x, y)[0] + 0.5 * lightBackground[0];
      expect(Math.abs(faint.at(x, y)[0] - expected)).toBeLessThan(4);
    }
  });

  test("buffers are exchanged and left alone, and what is not finite, clipped or out of the view is not drawn", async () => {
    const { viewer, device } = await makeViewer();
    const faults: string[] = [];
    device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
    viewer.resetView("+z");
    const cloud = await viewer.addPoints();
    cloud.setSize(20);
    const high = [0.5, 0.5, 1, 0.2];
    const low = [-0.5, -0.5, 1, 0.2];
    const wild = [0.5, Number.NaN, 1, 0.2, Number.POSITIVE_INFINITY, -0.5, 1, 0.2, 0.5, -0.5, 1e4, 0.2];
    const clip = { normal: [0, 1, 0], offset: 0 } as const;
    const places = [high, low].map(([x, y]) => [160 + x * faceHalf, 120 - y * faceHalf] as const);
    const seen = async () => {
      const picture = await decodePicture(await viewer.picture(1));
      const drawn = places.map(([x, y]) => pixelDistance(picture.at(x, y), lightBackground) > 30);
      return [...drawn, picture.count((pixel) => pixelDistance(pixel, [51, 51, 51]) < 30) < 900];
    };
    for (const opacity of [1, 0.9]) {
      cloud.setPaint({ ...greyPaint, opacity });
      const first = uploadPoints(device, high);
      cloud.setBuffer(first);
      expect(await seen()).toEqual([true, false, true]);
      const second = uploadPoints(device, [...wild, ...low, ...high]);
      cloud.setBuffer(second);
      for (const buffer of [first.positions, first.scalars]) buffer.destroy();
      expect(await seen()).toEqual([true, true, true]);
      cloud.setPaint({ ...greyPaint, opacity, clip });
      expect(await seen()).toEqual([true, false, true]);
      cloud.setBuffer(undefined);
      expect(await seen()).toEqual([false, false, true]);
      cloud.setBuffer(second);
      expect(await seen()).toEqual([true, false, true]);
    }
    const last = cloud.buffer!;
    cloud.remove();
    viewer.dispose();
    device.queue.writeBuffer(last.positions, 0, new Float32Array(3));
    await device.queue.onSubmittedWorkDone();
    expect(faults).toEqual([]);
  });

  test("what is seen at a place is found: the nearest triangle or point that no plane clips", async () => {
    const { viewer, surface, device } = await makeViewer();
    viewer.resetView("+z");
    surface.setBuffers(uploadMesh(device, quadMesh(1, 1, 0, [0, 0, 0, 0])));
    const cloud = await viewer.addPoints();
    cloud.setSize(10);
    cloud.setBuffer(uploadPoints(device, [0, 0, -1, 0, 0.5, 0.5, 1, 0]));
    cloud.setPaint({ ...greyPaint, opacity: 0.3 });

    expect(await viewer.pick(5, 5)).toBeUndefined();
    const on = await viewer.pick(160, 120);
    expect(on?.drawable).toBe(surface);
    expect(Math.max(...(on?.position ?? [1]).map(Math.abs))).toBeLessThan(1e-3);
    const right = await viewer.pick(200, 140);
    const left = await viewer.pick(120, 100);
    expect([right?.part, left?.part]).toEqual([0, 1]);
    expect(right?.middle.map((c) => Math.round(3 * c))).toEqual([1, -1, 0]);
    expect(left?.middle.map((c) => Math.round(3 * c))).toEqual([-1, 1, 0]);
    const point = await viewer.pick(160 + 0.5 * faceHalf + 3, 120 - 0.5 * faceHalf);
    expect(point).toEqual({ drawable: cloud, part: 1, position: [0.5, 0.5, 1], middle: [0.5, 0.5, 1] });
    expect((await viewer.pick(160 + 0.5 * faceHalf + 6, 120 - 0.5 * faceHalf))?.drawable).toBe(surface);

    surface.setPaint({ ...greyPaint, clip: { normal: [1, 0, 0], offset: 0 } });
    expect((await viewer.pick(161, 121))?.drawable).toBe(surface);
    expect(await viewer.pick(140, 110)).toBeUndefined();
    surface.setVisible(false);
    expect((await viewer.pick(160, 120))?.drawable).toBe(cloud);
    // Where nothing else is, a point is found up to five pixels from its edge.
    expect((await viewer.pick(160 + 0.5 * faceHalf + 9, 120 - 0.5 * faceHalf))?.part).toBe(1);
    expect(await viewer.pick(160 + 0.5 * faceHalf + 12, 120 - 0.5 * faceHalf)).toBeUndefined();
  });
});
