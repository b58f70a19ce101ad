import { expect, onTestFinished, test, vi } from "vitest";
import { greyPaint, makeViewer } from "./testing/make-viewer.ts";
import { quadMesh, uploadMesh } from "./testing/meshes.ts";
import type { OffscreenDrawing, Viewer } from "./viewer.ts";

const viewport = { width: 64, height: 48, pixelRatio: 1 };
/** The diagonal of the cube [−1, 1]³, which is 1 in the scene. */
const diagonal = 2 * Math.sqrt(3);

/** z/w of what is `distance` in front of the eye, in the scene's lengths (WebGPU's clip space, z from 0 to 1). */
function depthAt(distance: number, { camera }: Viewer): number {
  const near = camera.distance - 0.51;
  const far = camera.distance + 0.51;
  return (far * (distance - near)) / (distance * (far - near));
}

function at({ width, color, depth }: OffscreenDrawing, x: number, y: number) {
  const pixel = y * width + x;
  return { color: [...color.subarray(4 * pixel, 4 * pixel + 4)], depth: depth[pixel] };
}

test("a plane across the view has one depth, that of its distance, and nothing is over nothing", async () => {
  const { viewer, show } = await makeViewer();
  viewer.resetView("+z");
  for (const z of [-0.8, 0, 0.75]) {
    show(quadMesh(0.5, 0.5, z, [1, 1, 1, 1]));
    const drawing = await viewer.drawOffscreen(viewer.camera, viewport);
    expect([drawing.width, drawing.height]).toEqual([64, 48]);
    const expected = depthAt(viewer.camera.distance - z / diagonal, viewer);
    const covered = drawing.depth.filter((depth) => depth < 1);
    expect(covered.length).toBeGreaterThan(60);
    for (const depth of covered) expect(depth).toBeCloseTo(expected, 5);
    expect(at(drawing, 32, 24).color[3]).toBe(255);
    expect(at(drawing, 1, 1)).toEqual({ color: [0, 0, 0, 0], depth: 1 });
    const alphas = drawing.color.filter((_, i) => i % 4 === 3);
    expect(alphas.filter((alpha) => alpha === 255)).toHaveLength(covered.length);
  }
});

test("parts that are drawn alone and merged by depth are what is drawn together", async () => {
  const { viewer, surface, device } = await makeViewer();
  viewer.resetView("+x");
  viewer.orbit(30, 20);
  const other = viewer.addSurface();
  other.setPaint({ ...greyPaint, table: undefined });
  surface.setBuffers(uploadMesh(device, quadMesh(0.9, 0.9, 0.1, [0, 0, 0, 0])));
  other.setBuffers(uploadMesh(device, quadMesh(0.6, 0.6, -0.3, [1, 1, 1, 1])));
  const draw = () => viewer.drawOffscreen(viewer.camera, viewport);
  const together = await draw();
  other.setVisible(false);
  const first = await draw();
  other.setVisible(true);
  surface.setVisible(false);
  const second = await draw();

  const merged = second.color.slice();
  const depth = second.depth.slice();
  let nearer = 0;
  for (const [pixel, d] of first.depth.entries()) {
    if (d >= depth[pixel]) continue;
    nearer++;
    depth[pixel] = d;
    merged.set(first.color.subarray(4 * pixel, 4 * pixel + 4), 4 * pixel);
  }
  expect(nearer).toBeGreaterThan(50);
  expect(depth).toEqual(together.depth);
  expect(merged).toEqual(together.color);
});

test("a translucent surface is premultiplied by its opacity, and has no depth", async () => {
  const { viewer, surface, show } = await makeViewer();
  viewer.resetView("+z");
  surface.setPaint({ table: undefined, range: [0, 1], nanColor: "#000", solid: "#ffffff", opacity: 0.5 });
  show(quadMesh(0.5, 0.5, 0, [0, 0, 0, 0]));
  const { color, depth } = at(await viewer.drawOffscreen(viewer.camera, viewport), 32, 24);
  expect(depth).toBe(1);
  expect(Math.abs(color[3] - 127.5)).toBeLessThanOrEqual(1);
  expect(Math.max(...color.slice(0, 3))).toBeLessThanOrEqual(color[3]);
});

test("a drawing of several tiles is one drawing, and the picture is as it was", async () => {
  const { viewer, show } = await makeViewer({ width: 320, height: 32, pixelRatio: 1 });
  viewer.resetView("-y");
  show(quadMesh(8, 8, 0.2, [1, 1, 1, 1]));
  viewer.orbit(0, 40);
  const before = await (await viewer.picture(1)).arrayBuffer();
  const { width, depth } = await viewer.drawOffscreen(viewer.camera, {
    width: 2048,
    height: 8,
    pixelRatio: 2,
  });
  expect(width).toBe(4096);
  const aroundSeam = depth.subarray(8 * width + 2040, 8 * width + 2056);
  expect(Math.max(...aroundSeam)).toBeLessThan(1);
  for (let i = 1; i < 16; i++) expect(Math.abs(aroundSeam[i] - aroundSeam[i - 1])).toBeLessThan(1e-4);
  expect(await (await viewer.picture(1)).arrayBuffer()).toEqual(before);
});

test("a viewer without a canvas makes the picture that one with a canvas makes, and has nothing to pick", async () => {
  const size = { width: 300, height: 200, pixelRatio: 1 };
  const pictures: ArrayBuffer[] = [];
  for (const hasCanvas of [true, false]) {
    const { viewer, show } = await makeViewer(size, {}, hasCanvas);
    viewer.resetView("+z");
    const prepared = vi.fn();
    viewer.onBeforeFrame = prepared;
    show(quadMesh(0.5, 0.5, 0.25, [0, 0.3, 0.6, 1]));
    await viewer.frameDrawn();
    expect(prepared).toHaveBeenCalled();
    pictures.push(await (await viewer.picture(2)).arrayBuffer());
    expect((await viewer.pick(150, 100)) !== undefined).toBe(hasCanvas);
  }
  expect(pictures[1]).toEqual(pictures[0]);
});

test("drawings of one size one after the other make nothing on the device, and are what is drawn anew", async () => {
  const { viewer, surface, show, device } = await makeViewer();
  viewer.resetView("+z");
  const above = viewer.camera;
  viewer.orbit(60, 40);
  const { camera } = viewer;
  show(quadMesh(0.7, 0.7, 0.1, [0, 0.3, 0.6, 1]));
  const draw = (from: typeof camera, width = 50) =>
    viewer.drawOffscreen(from, { width, height: 40, pixelRatio: 1 });
  const first = await draw(above);
  const made = [vi.spyOn(device, "createTexture"), vi.spyOn(device, "createBuffer")];
  onTestFinished(() => {
    for (const spy of made) spy.mockRestore();
  });
  const turned = await draw(camera);
  expect(turned).not.toEqual(first);
  surface.setVisible(false);
  expect((await draw(camera)).depth.every((depth) => depth === 1)).toBe(true);
  surface.setVisible(true);
  expect(await draw(above)).toEqual(first);
  for (const spy of made) expect(spy).not.toHaveBeenCalled();
  await draw(camera, 64);
  expect(await draw(camera)).toEqual(turned);
});
