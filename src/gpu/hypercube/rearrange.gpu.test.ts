import { expect, it } from "vitest";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { elementsOf, rearrangementCases } from "../../core/hypercube/testing/rearrangements.ts";
import { counted, transformed } from "../../core/hypercube/testing/reference.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { Recorder } from "../compute/recorder.ts";
import { readBytes } from "../device/transfer.ts";
import { testGpu } from "../testing/context.ts";
import { isSweep } from "../testing/sweep.ts";
import { createExchange, createRearrangement } from "./rearrange.ts";

const sizes = [1, 2, 4, 8, 16] as const;

/** What a case makes of elements of so many bytes, on the GPU and by plain loops; also in place where that is possible. */
async function check(
  lengths: readonly number[],
  text: string,
  bytes: (typeof sizes)[number],
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
    const ready = await createRearrangement(gpu, map, bytes, { isTiled: true });
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
