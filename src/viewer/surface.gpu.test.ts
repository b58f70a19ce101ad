import { describe, expect, test } from "vitest";
import {
  greyPaint,
  greys,
  lightBackground,
  makeViewer,
  nanColor,
  solidColor,
} from "./testing/make-viewer.ts";
import { quadMesh, sphereMesh, uploadMesh } from "./testing/meshes.ts";
import { decodePicture, lightDistance, type Pixel, pixelDistance } from "./testing/pixels.ts";

/** Half the side of the cube's front face on the screen of 320 × 240 in the fitted view from +z, in pixels. */
const margin = 0.14 * 240;
const faceHalf = 120 - margin;
/** The highlight may add 0.05; lines and labels are not grey. */
const isGrey = (grey: number) => (pixel: Pixel) =>
  Math.max(...pixel) - Math.min(...pixel) < 4 && lightDistance(pixel, [grey, grey, grey]) < 0.05;

describe("surface", () => {
  test("scalars from 0 to 1 have the table's colours, beyond them the end colours", async () => {
    const { viewer, show } = await makeViewer();
    viewer.resetView("+z");
    // At z = 1 the quad is the cube's front face: scalar −0.5 at its left edge, 1.5 at its right one.
    show(quadMesh(1, 1, 1, [-0.5, 1.5, 1.5, -0.5]));
    const picture = await decodePicture(await viewer.picture(1));
    for (let x = -0.9; x <= 0.9; x += 0.1) {
      const pixel = picture.at(160 + x * faceHalf, 110);
      const scalar = 0.5 + (Math.floor(160 + x * faceHalf) + 0.5 - 160) / faceHalf;
      const grey = 255 * Math.min(1, Math.max(0, scalar));
      // The highlight adds up to 0.02 at the left, on whatever colour is there.
      expect(lightDistance(pixel, [grey, grey, grey])).toBeLessThan(0.02);
    }
  });

  test("NaN has its own colour, up to halfway to a neighbour that is a number", async () => {
    const { viewer, show } = await makeViewer();
    viewer.resetView("+z");
    show(quadMesh(1, 1, 1, [Number.NaN, 0.5, 0.5, Number.NaN]));
    const picture = await decodePicture(await viewer.picture(1));
    const y = 110;
    expect(lightDistance(picture.at(160 - 0.9 * faceHalf, y), nanColor)).toBeLessThan(0.02);
    expect(lightDistance(picture.at(160 - 0.1 * faceHalf, y), nanColor)).toBeLessThan(0.02);
    expect(pixelDistance(picture.at(160 + 0.1 * faceHalf, y), [128, 128, 128])).toBeLessThanOrEqual(4);
    expect(pixelDistance(picture.at(160 + 0.9 * faceHalf, y), [128, 128, 128])).toBeLessThanOrEqual(4);
  });

  test("infinite scalars have the end colours", async () => {
    const { viewer, show } = await makeViewer();
    viewer.resetView("+z");
    for (const [scalar, grey] of [
      [Number.POSITIVE_INFINITY, 255],
      [Number.NEGATIVE_INFINITY, 0],
    ]) {
      show(quadMesh(1, 1, 1, [scalar, scalar, scalar, scalar]));
      const picture = await decodePicture(await viewer.picture(1));
      expect(lightDistance(picture.at(150, 110), [grey, grey, grey])).toBeLessThan(0.02);
    }
  });

  test("without a table the surface has its one colour; a constant field has the middle one", async () => {
    const { viewer, surface, show } = await makeViewer();
    viewer.resetView("+z");
    show(quadMesh(1, 1, 1, [7, 7, 7, 7]));
    surface.setPaint({ table: undefined, range: [0, 1], nanColor: "#f0f", solid: "rgb(48 128 208)" });
    const solid = await decodePicture(await viewer.picture(1));
    expect(lightDistance(solid.at(150, 110), solidColor)).toBeLessThan(0.02);
    surface.setPaint({ table: greys, range: [7, 7], nanColor: "#f0f", solid: "#fff" });
    const constant = await decodePicture(await viewer.picture(1));
    expect(pixelDistance(constant.at(150, 110), [128, 128, 128])).toBeLessThanOrEqual(4);
  });

  test("both sides are lit alike, with normals of any length, or none", async () => {
    const { viewer, show } = await makeViewer();
    const quad = quadMesh(1, 1, 0, [0.5, 0.5, 0.5, 0.5]);
    for (const direction of ["+z", "-z"] as const) {
      viewer.resetView(direction);
      for (const mesh of [
        quad,
        { ...quad, normals: quad.normals.map((n) => 3 * n) },
        { ...quad, indices: quad.indices.toReversed(), normals: quad.normals.map((n) => -n) },
        { ...quad, normals: quad.normals.map(() => 0) },
      ]) {
        show(mesh);
        const picture = await decodePicture(await viewer.picture(1));
        expect(pixelDistance(picture.at(150, 110), [128, 128, 128])).toBeLessThanOrEqual(4);
      }
    }
  });

  test("without light a plane has the table's colours from wherever it is seen", async () => {
    const { viewer, surface, show } = await makeViewer();
    show(quadMesh(1, 1, 0, [0.5, 0.5, 0.5, 0.5]));
    const isMiddle = (pixel: Pixel) => pixelDistance(pixel, [128, 128, 128]) <= 1;
    expect((await decodePicture(await viewer.picture(1))).count(isMiddle)).toBeLessThan(500);
    for (const opacity of [1, 0.999]) {
      surface.setPaint({ ...greyPaint, shading: "unlit", opacity });
      expect((await decodePicture(await viewer.picture(1))).count(isMiddle)).toBeGreaterThan(2000);
    }
  });

  test("a sphere covers the disc that perspective gives it, shaded darker at the rim below", async () => {
    const { viewer, show } = await makeViewer();
    viewer.resetView("-y");
    show(sphereMesh(0.9, 48, () => 1));
    const picture = await decodePicture(await viewer.picture(1));
    const radius = 0.9 / Math.hypot(2, 2, 2);
    const { distance } = viewer.camera;
    const tangent = radius / Math.sqrt(distance ** 2 - radius ** 2);
    const pixels = (120 * tangent) / Math.tan(Math.PI / 12);
    const covered = picture.count(
      (pixel) => pixelDistance(pixel, lightBackground) > 3 && Math.max(...pixel) - Math.min(...pixel) < 3,
    );
    expect(covered / (Math.PI * pixels ** 2)).toBeGreaterThan(0.985);
    expect(covered / (Math.PI * pixels ** 2)).toBeLessThan(1.015);
    expect(picture.at(160, 120 + 0.9 * pixels)[0]).toBeLessThan(picture.at(160, 120)[0] - 60);
  });

  test("draws what a compute pass wrote, indirect arguments included, without a word from the CPU", async () => {
    const { viewer, surface, device } = await makeViewer();
    viewer.resetView("+z");
    const { STORAGE, VERTEX, INDEX, INDIRECT } = GPUBufferUsage;
    const buffer = (size: number, usage: number) => device.createBuffer({ size, usage: usage | STORAGE });
    const buffers = {
      vertices: buffer(3200, VERTEX),
      indices: buffer(1200, INDEX),
      indirect: buffer(20, INDIRECT),
    };
    surface.setBuffers(buffers);
    expect((await decodePicture(await viewer.picture(1))).count(isGrey(102))).toBe(0);

    const module = device.createShaderModule({
      code: `
@group(0) @binding(0) var<storage, read_write> vertices: array<array<f32, 8>>;
@group(0) @binding(1) var<storage, read_write> indices: array<u32>;
@group(0) @binding(2) var<storage, read_write> indirect: array<u32>;
@compute @workgroup_size(3) fn main(@builtin(local_invocation_index) i: u32) {
  vertices[i] = array(select(-1.0, 1.0, i == 1), select(-1.0, 1.0, i == 2), 1.0, 0.0, 0.0, 1.0, 0.4, 0.0);
  indices[i] = i;
  if (i == 0) { indirect[0] = 3; indirect[1] = 1; }
}`,
    });
    const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
    const entries = Object.values(buffers).map((wrapped, binding) => ({
      binding,
      resource: { buffer: wrapped },
    }));
    const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    let calls = 0;
    viewer.onBeforeFrame = () => {
      calls++;
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups(1);
      pass.end();
      device.queue.submit([encoder.finish()]);
    };
    await viewer.frameDrawn();
    expect(calls).toBe(1);
    viewer.onBeforeFrame = undefined;
    const picture = await decodePicture(await viewer.picture(1));
    // Half of the front face, less the lines of the box that run over it.
    const share = picture.count(isGrey(102)) / (2 * faceHalf ** 2);
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(1.02);
  });

  test("buffers can be swapped for larger ones and for none", async () => {
    const { viewer, surface, device } = await makeViewer();
    viewer.resetView("+z");
    const pictures = [];
    for (const mesh of [
      quadMesh(0.2, 0.2, 1, [0.4, 0.4, 0.4, 0.4]),
      quadMesh(0.8, 0.8, 1, [0.4, 0.4, 0.4, 0.4]),
    ]) {
      surface.setBuffers(uploadMesh(device, mesh, 1024 * pictures.length));
      await viewer.frameDrawn();
      pictures.push((await decodePicture(await viewer.picture(1))).count(isGrey(102)));
    }
    expect(pictures[0]).toBeGreaterThan(0.8 * 4 * (0.2 * faceHalf) ** 2);
    expect(pictures[1] / pictures[0]).toBeGreaterThan(14);
    surface.setBuffers(undefined);
    await viewer.frameDrawn();
    const empty = await decodePicture(await viewer.picture(1));
    expect(empty.count(isGrey(102))).toBe(0);
    // The box is still there.
    expect(empty.count((pixel) => pixelDistance(pixel, lightBackground) > 40)).toBeGreaterThan(400);
  });

  test("a viewer's end leaves the device and the buffers alone", async () => {
    const { viewer, surface, device } = await makeViewer();
    const buffers = uploadMesh(device, quadMesh(1, 1, 0, [0, 0, 0, 0]));
    surface.setBuffers(buffers);
    await viewer.frameDrawn();
    viewer.dispose();
    await new Promise((resolve) => setTimeout(resolve, 20));
    device.pushErrorScope("validation");
    for (const buffer of Object.values(buffers)) device.queue.writeBuffer(buffer, 0, new Uint32Array(4));
    await device.queue.onSubmittedWorkDone();
    expect(await device.popErrorScope()).toBeNull();
  });

  test.each([1e-30, 1e-9, 1e6, 1e25])("a scene in units of %d looks like one in units of 1", async (unit) => {
    const { viewer, show } = await makeViewer();
    const sphere = sphereMesh(0.9, 24, (x) => 0.5 + 0.5 * x);
    viewer.resetView("-y");
    show(sphere);
    const expected = await decodePicture(await viewer.picture(1));
    viewer.setGrid([-unit, unit, -unit, unit, -unit, unit]);
    viewer.resetView("-y");
    show({ ...sphere, positions: sphere.positions.map((p) => p * unit) });
    const got = await decodePicture(await viewer.picture(1));
    let different = 0;
    for (let y = 40; y < 200; y++) {
      for (let x = 80; x < 240; x++) if (pixelDistance(got.at(x, y), expected.at(x, y)) > 4) different++;
    }
    expect(different / 160 ** 2).toBeLessThan(0.003);
  });
});
