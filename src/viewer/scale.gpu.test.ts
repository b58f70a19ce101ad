import { describe, expect, test } from "vitest";
import { type ScaleKind, scaleOver, scalePosition, shaderScale } from "../core/scale.ts";
import { readU32 } from "../gpu/device/transfer.ts";
import { testGpu } from "../gpu/testing/context.ts";
import { scaledCode, weighScalarCode } from "./shading.ts";
import { greyPaint, makeViewer } from "./testing/make-viewer.ts";
import { quadMesh } from "./testing/meshes.ts";
import { decodePicture, pixelDistance } from "./testing/pixels.ts";

const gpu = await testGpu();

const code = /* wgsl */ `
${weighScalarCode}
${scaledCode}
struct Scale { words: vec4f, origin: f32, per_unit: f32, shift: f32 }
@group(0) @binding(0) var<storage, read> scalars: array<f32>;
@group(0) @binding(1) var<storage, read_write> positions: array<f32>;
@group(0) @binding(2) var<storage, read> scale: Scale;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u) {
  let weighted = weighScalar(scalars[group.x], scale.origin, scale.per_unit, scale.shift);
  positions[group.x] = select(-1.0, scaled(weighted.x, scale.words), weighted.y > 0.5);
}`;

/** Where the shader places the scalars of a buffer; −1 for NaN. */
async function shaderPositions(
  kind: ScaleKind,
  range: readonly [number, number],
  scalars: Float32Array<ArrayBuffer>,
  zero: number,
): Promise<Float32Array> {
  const { origin, perUnit, shift, words } = shaderScale(scaleOver(kind, range), zero);
  const pipeline = await gpu.pipelines.get({ label: "scale", code, entryPoint: "main" });
  const scope = gpu.scope();
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const given = scope.allocate("scalars", scalars.byteLength, STORAGE | COPY_DST);
  const result = scope.allocate("positions", scalars.byteLength, STORAGE | COPY_SRC);
  const scale = scope.allocate("scale", 32, STORAGE | COPY_DST);
  gpu.device.queue.writeBuffer(given.buffer, 0, scalars);
  gpu.device.queue.writeBuffer(scale.buffer, 0, Float32Array.of(...words, origin, perUnit, shift, 0));
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [given, result, scale].map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
    }),
  );
  pass.dispatchWorkgroups(scalars.length);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  const bits = await readU32(gpu, result);
  scope.release();
  return new Float32Array(bits.buffer, bits.byteOffset, scalars.length);
}

describe("scales in shaders", () => {
  test.each<[ScaleKind, readonly [number, number], number]>([
    ["linear", [-2, 5], 0],
    ["log", [1e-6, 3.4e-4], 0],
    ["log", [0, 1e6], 0],
    ["log", [1e-20, 1e10], 0],
    ["log", [2, 7], -4.5],
    ["log", [-5, 0], 0],
    ["log", [3, 3], 0],
    ["symlog", [-2, 50], 0],
    ["symlog", [0, 1], 0],
    ["symlog", [-1e-8, -1e-12], 0],
    ["symlog", [10, 1000], -500],
  ])("%s from %j, 0 being stored as %d, is that of the CPU", async (kind, range, zero) => {
    const scale = scaleOver(kind, range);
    const { low, high } = scale;
    const values = Array.from({ length: 101 }, (_, k) => low + (k / 100) * (high - low));
    if (kind === "log" && low > 0)
      values.push(...Array.from({ length: 60 }, (_, k) => low * (high / low) ** (k / 59)));
    values.push(low - 0.1 * (high - low), high + 0.1 * (high - low), -1e6, 1e6, 0, 1e-3 * high, 1e-3 * low);
    values.push(Number.NaN);
    if (high > low) values.push(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
    const scalars = Float32Array.from(values, (value) => value + zero);
    const actual = await shaderPositions(kind, range, scalars, zero);
    for (const [k, stored] of scalars.entries()) {
      const position = scalePosition(scale, stored - zero);
      const expected = Number.isNaN(position) ? -1 : Math.min(1, Math.max(0, position));
      // A four-hundredth of the step from one of the 256 colours to the next.
      expect(Math.abs(actual[k] - expected), `${stored - zero}`).toBeLessThan(1e-5);
    }
  });

  test("a surface has the colour of the interpolated value, not of interpolated logarithms", async () => {
    const { viewer, surface, show } = await makeViewer();
    viewer.resetView("+z");
    // From −1000 at the left edge of the quad to 1000 at the right one: 0 and less have the lowest colour.
    show(quadMesh(1, 1, 1, [-1000, 1000, 1000, -1000]));
    for (const opacity of [1, 0.999]) {
      surface.setPaint({ ...greyPaint, range: [1, 1000], scale: "log", shading: "unlit", opacity });
      const picture = await decodePicture(await viewer.picture(1));
      const faceHalf = 120 - 0.14 * 240;
      // Lines of the box are seen through what is translucent: between them.
      for (const x of [-0.9, -0.7, -0.5, -0.2, -0.1, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9]) {
        const pixel = Math.floor(160 + x * faceHalf);
        const value = (1000 * (pixel + 0.5 - 160)) / faceHalf;
        const grey = value <= 1 ? 0 : 255 * Math.min(1, Math.log10(value) / 3);
        expect(
          pixelDistance(picture.at(pixel, 90), [grey, grey, grey]),
          `${value} at ${opacity}`,
        ).toBeLessThan(3);
      }
    }
  });
});
