import { expect, it } from "vitest";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { elementsOf, rearrangementCases } from "../../core/hypercube/testing/rearrangements.ts";
import { counted, transformed } from "../../core/hypercube/testing/reference.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { submitPass } from "../compute/dispatch.ts";
import { Recorder } from "../compute/recorder.ts";
import { readBytes, readU32 } from "../device/transfer.ts";
import { testGpu } from "../testing/context.ts";
import { isSweep } from "../testing/sweep.ts";
import { createExchange, createRearrangement, type RearrangementOptions } from "./rearrange.ts";
import { createTextureRearrangement } from "./rearrange-texture.ts";

const sizes = [1, 2, 4, 8, 16] as const;

/** What a case makes of elements of so many bytes, on the GPU and by plain loops; also in place where that is possible. */
async function check(
  lengths: readonly number[],
  text: string,
  bytes: (typeof sizes)[number],
  options: RearrangementOptions = {},
): Promise<boolean> {
  const gpu = await testGpu();
  const operations = parseTransform(text);
  const map = mapOf(lengths, operations);
  const source = elementsOf(counted(lengths).values, bytes);
  const expected = elementsOf(operations.reduce(transformed, counted(lengths)).values, bytes);
  const scope = gpu.scope();
  const recorder = new Recorder(gpu);
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const bufferOf = (content: Uint8Array) => {
    const padded = new Uint8Array(Math.ceil(content.length / 4) * 4);
    padded.set(content);
    const buffer = scope.allocate("test", padded.length, STORAGE | COPY_SRC | COPY_DST);
    gpu.device.queue.writeBuffer(buffer.buffer, 0, padded);
    return { ...buffer, view: { buffer: buffer.buffer, offset: 0, length: padded.length / 4 } };
  };
  try {
    const [from, to] = [bufferOf(source), bufferOf(new Uint8Array(expected.length).fill(0xee))];
    const ready = await createRearrangement(gpu, map, bytes, { isTiled: true, ...options });
    ready.record(recorder, { source: from.view, target: to.view });
    const exchange = await createExchange(gpu, map, bytes);
    exchange?.record(recorder, from.view);
    recorder.submit();
    const what = `${text}, ${bytes} bytes`;
    const padding = new Uint8Array((4 - (expected.length % 4)) % 4);
    expectArraysClose(new Uint8Array(await readBytes(gpu, to)), [...expected, ...padding], {}, what);
    if (exchange) {
      const words = new Uint8Array(await readBytes(gpu, from, 0, expected.length));
      expectArraysClose(words, expected, {}, `${what}, in place`);
    }
    return exchange !== undefined;
  } finally {
    recorder.dispose();
    scope.release();
  }
}

/** A case for each kernel: small and large elements, with and without zeros, through tiles. */
const usual: Readonly<Record<string, (typeof sizes)[number]>> = {
  "flip(x)": 1,
  "pshift(x, 33)": 2,
  "shift(x, 12345)": 4,
  "tile(4, 3) | shift(0, 1) | untile() | shift(x, 3)": 4,
  "transpose(x, y) | pad(x, 1, 2) | shift(y, 5) | flip(x)": 4,
  "permute(y, z, x)": 16,
};

it("moves elements of every size by every kind of map, as plain loops do", async () => {
  const checked = new Set<string>();
  for (const { lengths, text } of rearrangementCases()) {
    // Shaders take a while to compile.
    for (const bytes of isSweep ? sizes : sizes.filter((size) => usual[text] === size)) {
      await check(lengths, text, bytes);
      checked.add(text);
    }
  }
  expect(Object.keys(usual).filter((text) => !checked.has(text))).toEqual([]);
});

it("exchanges elements in place where a map does so in pairs of whole words", async () => {
  expect(await check([9, 9], "transpose(x, y)", 4)).toBe(true);
  expect(await check([8, 5], "flip(y)", 1)).toBe(true);
  const gpu = await testGpu();
  const exchangeOf = (text: string, bytes: 1 | 4) =>
    createExchange(gpu, mapOf([8, 5], parseTransform(text)), bytes);
  expect(await exchangeOf("flip(x)", 1)).toBeUndefined();
  expect(await exchangeOf("shift(x, 3)", 4)).toBeUndefined();
});

it("binds arrays in parts where they are larger than a binding, and says what fits", async () => {
  await check([21, 14], "transpose(x, y)", 4, { largestBinding: 600 });
  if (isSweep) await check([64, 9], "shift(y, 2) | flip(y)", 2, { largestBinding: 256 });
  const gpu = await testGpu();
  const map = mapOf([4096], parseTransform("flip(x)"));
  await expect(createRearrangement(gpu, map, 4, { largestBinding: 256 })).rejects.toThrow(
    /takes 16\sKiB; this device rearranges at most [\d.]+\sKiB/,
  );
});

/** Numbers as f32: of small integers' own bits a device may make 0, as denormal numbers. */
const bitsOf = (values: readonly number[]) => new Uint32Array(Float32Array.from(values).buffer);

it("reads a texture as it reads a buffer", async () => {
  const gpu = await testGpu();
  const { TEXTURE_BINDING, COPY_DST } = GPUTextureUsage;
  const scope = gpu.scope();
  for (const { size, format, lengths, text } of [
    { size: [6, 4], format: "r32uint", lengths: [6, 4], text: "shift(x, 1) | transpose(x, y)" },
    { size: [3, 4, 2], format: "r32float", lengths: [3, 8], text: "flip(x)" },
  ] as const) {
    const operations = parseTransform(text);
    const dimension = size.length === 3 ? "3d" : "2d";
    const texture = gpu.device.createTexture({
      size: [...size],
      format,
      dimension,
      usage: TEXTURE_BINDING | COPY_DST,
    });
    try {
      const words = bitsOf(counted(lengths).values);
      const layout = { bytesPerRow: 4 * size[0], rowsPerImage: size[1] };
      gpu.device.queue.writeTexture({ texture }, words, layout, [...size]);
      const target = scope.allocate("test", 96, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
      const map = mapOf(lengths, operations);
      const rearranged = await createTextureRearrangement(gpu, map, texture);
      submitPass(gpu, "test", rearranged(texture, target.buffer));
      const expected = bitsOf(operations.reduce(transformed, counted(lengths)).values);
      expectArraysClose(await readU32(gpu, target, 0, 24), expected, {}, text);
      await expect(createTextureRearrangement(gpu, mapOf([25], []), texture)).rejects.toThrow(
        "Give it 25 texels",
      );
    } finally {
      texture.destroy();
    }
  }
  scope.release();
});
