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
    const ready = await createRearrangement(gpu, map, bytes);
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

it("moves elements of every size by every kind of map, as plain loops do", async () => {
  for (const [k, { lengths, text }] of rearrangementCases().entries()) {
    // Shaders take a while to compile: each case has two sizes, and all cases have all.
    for (const bytes of isSweep ? sizes : [sizes[k % 5], sizes[(k + 2) % 5]])
      await check(lengths, text, bytes);
  }
});

it("exchanges elements in place where a map does so in pairs of whole words", async () => {
  expect(await check([6, 7], "flip(x, y)", 8)).toBe(true);
  expect(await check([9, 9], "transpose(x, y)", 4)).toBe(true);
  expect(await check([8, 5], "flip(y)", 1)).toBe(true);
  expect(await check([8, 5], "flip(x)", 1)).toBe(false);
  expect(await check([8, 5], "shift(x, 3)", 4)).toBe(false);
});
