import { describe, expect, onTestFinished, test, vi } from "vitest";
import { CrinkleError } from "../core/errors.ts";
import { openDevice } from "../gpu/device/adapter.ts";
import { darkBackground, greyPaint, lightBackground, makeViewer } from "./testing/make-viewer.ts";
import { quadMesh, sphereMesh, uploadMesh } from "./testing/meshes.ts";
import { decodePicture, type Pixel, type Pixels, pixelDistance } from "./testing/pixels.ts";
import { Viewer } from "./viewer.ts";

const bar = {
  title: "magnitude(v)",
  min: 0,
  max: 1,
  colors: ["rgb(0, 200, 0)", "rgb(200, 0, 0)"],
  nanColor: "rgb(0, 0, 255)",
  hasNaN: true,
};
const isInk = (pixel: Pixel) => pixelDistance(pixel, lightBackground) > 90;

/** Mean difference of a component between `small` and `large` averaged down to its size. */
function meanDifference(small: Pixels, large: Pixels): number {
  const factor = large.width / small.width;
  let sum = 0;
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const mean = [0, 0, 0];
      for (let i = 0; i < factor ** 2; i++) {
        const pixel = large.at(x * factor + (i % factor), y * factor + Math.floor(i / factor));
        for (const [channel, value] of pixel.entries()) mean[channel] += value / factor ** 2;
      }
      sum += pixelDistance(small.at(x, y), [mean[0], mean[1], mean[2]]);
    }
  }
  return sum / (small.width * small.height);
}

describe("viewer", () => {
  test("the canvas shows what the picture shows, with and without multi-sampling", async () => {
    for (const isSoftware of [true, false]) {
      const { viewer, canvas, show } = await makeViewer(undefined, { isSoftware });
      show(sphereMesh(0.9, 24, (x) => 0.5 + 0.5 * x));
      await viewer.frameDrawn();
      const shown = await decodePicture(await canvas.convertToBlob());
      const picture = await decodePicture(await viewer.picture(1));
      expect([shown.width, shown.height]).toEqual([picture.width, picture.height]);
      expect(picture.count((pixel) => pixelDistance(pixel, lightBackground) > 3)).toBeGreaterThan(8000);
      expect(meanDifference(shown, picture)).toBeLessThan(0.5);
    }
  });

  test("a hardware screen of two pixels per CSS pixel is drawn in full, a software one is not", async () => {
    const viewport = { width: 200, height: 100, pixelRatio: 2 };
    for (const [isSoftware, width] of [
      [true, 200],
      [false, 400],
    ] as const) {
      const { viewer, canvas } = await makeViewer(viewport, { isSoftware });
      await viewer.frameDrawn();
      expect([canvas.width, canvas.height]).toEqual([width, width / 2]);
      const picture = await decodePicture(await viewer.picture(1));
      expect([picture.width, picture.height]).toEqual([width, width / 2]);
    }
  });

  test("a picture at twice the pixels has the same content", async () => {
    const { viewer, show } = await makeViewer(undefined, { isSoftware: false });
    show(sphereMesh(0.9, 24, (x) => 0.5 + 0.5 * x));
    const small = await decodePicture(await viewer.picture(1, [bar]));
    const large = await decodePicture(await viewer.picture(2, [bar]));
    expect([large.width, large.height]).toEqual([640, 480]);
    expect(meanDifference(small, large)).toBeLessThan(2.5);
  });

  test("a picture of several tiles has no seams", async () => {
    const viewport = { width: 1100, height: 60, pixelRatio: 1 };
    const { viewer, show } = await makeViewer(viewport);
    viewer.resetView("-y");
    viewer.zoom(0.2);
    show(sphereMesh(8, 24, () => 0.5));
    const small = await decodePicture(await viewer.picture(1));
    const large = await decodePicture(await viewer.picture(2));
    expect(large.width).toBe(2200);
    expect(meanDifference(small, large)).toBeLessThan(1);
  });

  test("labels stand below and to the left of the box seen from above, and follow the theme", async () => {
    const { viewer } = await makeViewer();
    viewer.resetView("+z");
    const margin = 0.14 * 240;
    const light = await decodePicture(await viewer.picture(1));
    const left = 160 - (120 - margin);
    expect(light.count(isInk, left, 240 - margin + 8, 320)).toBeGreaterThan(60);
    expect(light.count(isInk, left - 50, 20, left - 8, 180)).toBeGreaterThan(40);
    expect(light.count(isInk, 0, 0, 320, margin - 8)).toBe(0);
    expect(light.count(isInk, 320 - left + 12, 0, 320, 240)).toBe(0);
    expect(light.at(2, 2)).toEqual(lightBackground);

    viewer.setTheme("dark");
    const dark = await decodePicture(await viewer.picture(1));
    expect(dark.at(2, 2)).toEqual(darkBackground);
    const isPale = (pixel: Pixel) => pixelDistance(pixel, darkBackground) > 90;
    expect(dark.count(isPale, left, 240 - margin + 8, 320)).toBeGreaterThan(60);
  });

  test("labels name the units, also those whose letters no number has", async () => {
    const { viewer } = await makeViewer();
    viewer.resetView("+z");
    const plain = await decodePicture(await viewer.picture(1));
    viewer.setGrid([-1, 1, -1, 1, -1, 1], "µm");
    viewer.resetView("+z");
    const named = await decodePicture(await viewer.picture(1));
    expect(named.count(isInk)).toBeGreaterThan(plain.count(isInk) + 60);
  });

  test("the box's lines are hidden behind the surface and drawn over it in front", async () => {
    const { viewer, surface, show } = await makeViewer();
    viewer.resetView("+z");
    const isGrey = (pixel: Pixel) => pixelDistance(pixel, [128, 128, 128]) <= 4;
    const center = [130, 90, 190, 150] as const;
    show(quadMesh(1, 1, 1, [0.5, 0.5, 0.5, 0.5]));
    expect((await decodePicture(await viewer.picture(1))).count(isGrey, ...center)).toBe(60 * 60);
    surface.setBuffers(undefined);
    const open = await decodePicture(await viewer.picture(1));
    expect(open.count((pixel) => pixelDistance(pixel, lightBackground) > 8, ...center)).toBeGreaterThan(100);
  });

  test("a scalar bar stands in the lower right corner, NaN below it; several, and one in a small picture, lie", async () => {
    const { viewer } = await makeViewer({ width: 800, height: 400, pixelRatio: 1 });
    const large = await decodePicture(await viewer.picture(1, [bar]));
    const x = 800 - 14 - 12 - 6;
    expect(pixelDistance(large.at(x, 400 - 35), [0, 0, 255])).toBeLessThanOrEqual(1);
    expect(pixelDistance(large.at(x, 400 - 55), [0, 200, 0])).toBeLessThanOrEqual(8);
    expect(pixelDistance(large.at(x, 400 - 144), [200, 0, 0])).toBeLessThanOrEqual(8);
    const bare = await decodePicture(await viewer.picture(1));
    expect(pixelDistance(bare.at(x, 400 - 35), lightBackground)).toBe(0);
    const isSwatch = (pixel: Pixel) => pixelDistance(pixel, [0, 255, 255]) < 2;
    const bars = [bar, { ...bar, nanColor: "#00ffff" }];
    const column = await decodePicture(await viewer.picture(1, bars));
    expect(column.count(isSwatch, 700, 250, 800, 325)).toBeGreaterThan(100);
    expect(pixelDistance(column.at(600, 380), lightBackground)).toBe(0);

    viewer.resize({ width: 320, height: 240, pixelRatio: 1 });
    const row = await decodePicture(await viewer.picture(1, bars));
    expect(row.count(isSwatch, 64, 180, 184, 240)).toBeGreaterThan(100);
    const small = await decodePicture(await viewer.picture(1, [{ ...bar, hasNaN: false }]));
    const y = 240 - 8 - 6 - 17 - 2 - 5;
    expect(pixelDistance(small.at(320 - 8 - 160 + 14, y), [0, 200, 0])).toBeLessThanOrEqual(8);
    expect(pixelDistance(small.at(320 - 8 - 14, y), [200, 0, 0])).toBeLessThanOrEqual(8);
  });

  test("draws on demand: a frame for a change, none without", async () => {
    const { viewer } = await makeViewer();
    await viewer.frameDrawn();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = viewer.frame;
    const asked = vi.spyOn(globalThis, "requestAnimationFrame");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(viewer.frame).toBe(before);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    viewer.orbit(10, 0);
    viewer.orbit(10, 0);
    await viewer.frameDrawn();
    expect(viewer.frame).toBe(before + 1);
    expect(viewer.frameTimes).toHaveLength(viewer.frame);
  });

  test("gestures and resets change the view, a new size keeps a fitted box fitted", async () => {
    const { viewer, canvas } = await makeViewer();
    const fitted = viewer.camera;
    viewer.orbit(20, 10);
    viewer.pan(5, 5);
    viewer.zoom(1.5);
    expect(viewer.camera.distance).toBeCloseTo(fitted.distance / 1.5, 12);
    viewer.resetView();
    expect(viewer.camera).toEqual(fitted);
    viewer.resize({ width: 200, height: 300, pixelRatio: 1 });
    expect(viewer.camera.distance).not.toBe(fitted.distance);
    await viewer.frameDrawn();
    expect([canvas.width, canvas.height]).toEqual([200, 300]);
    viewer.resize({ width: 0, height: 0, pixelRatio: 1 });
    await viewer.frameDrawn();
    viewer.resize({ width: 320, height: 240, pixelRatio: 1 });
    expect(viewer.camera).toEqual(fitted);
  });

  test("pictures asked for at once do not disturb each other", async () => {
    const { viewer, show } = await makeViewer();
    show(sphereMesh(0.9, 24, (x) => 0.5 + 0.5 * x));
    const [once, twice] = await Promise.all([viewer.picture(1), viewer.picture(2)]);
    expect(await (await viewer.picture(1)).arrayBuffer()).toEqual(await once.arrayBuffer());
    expect((await decodePicture(twice)).width).toBe(640);
  });

  test("an invalid scale, an invalid colour and a too large picture are refused with a remedy", async () => {
    const { viewer, surface } = await makeViewer();
    await expect(viewer.picture(5)).rejects.toThrow(/scale is 5.*1 to 4/);
    expect(() => surface.setPaint({ ...greyPaint, nanColor: "no-such" })).toThrow(
      /“no-such” is not a colour/,
    );
    viewer.resize({ width: 30_000, height: 10, pixelRatio: 1 });
    await expect(viewer.picture(4)).rejects.toThrow(/pixels is larger than a canvas can be/);
  });

  test("after the device is lost nothing throws and a picture says why there is none", async () => {
    const { device } = await openDevice(navigator.gpu);
    const onError = vi.fn();
    device.onuncapturederror = onError;
    const canvas = new OffscreenCanvas(16, 16);
    const viewport = { width: 64, height: 64, pixelRatio: 1 };
    const viewer = await Viewer.create(device, canvas, viewport, { theme: "light", isSoftware: true });
    expect(device.onuncapturederror).toBe(onError);
    viewer.setGrid([0, 1, 0, 1, 0, 1]);
    const surface = viewer.addSurface();
    surface.setBuffers(uploadMesh(device, quadMesh(1, 1, 0, [0, 0, 0, 0])));
    await viewer.frameDrawn();
    expect((await viewer.pick(32, 32))?.drawable).toBe(surface);
    // Work that a loss ends may fail long before the loss is reported.
    const mapping = vi.spyOn(GPUBuffer.prototype, "mapAsync");
    onTestFinished(() => mapping.mockRestore());
    mapping.mockRejectedValue(new DOMException("It was unmapped.", "AbortError"));
    const picking = viewer.pick(32, 32);
    setTimeout(() => device.destroy(), 20);
    expect(await picking).toBeUndefined();
    mapping.mockRestore();
    await device.lost;
    viewer.setGrid([0, 2, 0, 2, 0, 2]);
    surface.setBuffers(undefined);
    surface.setPaint(greyPaint);
    surface.remove();
    viewer.addSurface().setPaint(greyPaint);
    viewer.setTheme("dark");
    viewer.resize({ width: 32, height: 32, pixelRatio: 2 });
    viewer.orbit(1, 1);
    await viewer.frameDrawn();
    const refusal = await viewer.picture(1).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CrinkleError);
    expect((refusal as CrinkleError).tag).toBe("DeviceLost");
    viewer.dispose();

    // Another viewer takes its place on the same canvas.
    const next = await openDevice(navigator.gpu);
    const heir = await Viewer.create(next.device, canvas, viewport, { theme: "dark", isSoftware: true });
    heir.setGrid([0, 1, 0, 1, 0, 1]);
    heir.camera = viewer.camera;
    expect(heir.camera).toEqual(viewer.camera);
    await heir.frameDrawn();
    const shown = await decodePicture(await canvas.convertToBlob());
    expect(shown.at(2, 2)).toEqual(darkBackground);
    heir.dispose();
    next.device.destroy();
  });
});
