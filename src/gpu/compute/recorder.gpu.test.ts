import { expect, it } from "vitest";
import { add } from "../../core/primitives/operators.ts";
import { randomWords } from "../../core/primitives/testing/data.ts";
import { readU32 } from "../device/transfer.ts";
import { createScan } from "../primitives/scan/scan.ts";
import { testGpu } from "../testing/context.ts";
import { Recorder } from "./recorder.ts";
import { maxTag } from "./tagged.ts";

const gpu = await testGpu();
const scan = await createScan(gpu, { type: "u32", operator: add }, { subgroups: true, scan: "chained" });

let recordings = 0;

/** Records the scan of n words, other ones each time: what an earlier recording left is wrong for this one. */
function record(recorder: Recorder, n: number) {
  const words = randomWords(n, ++recordings);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const [input, output] = ["words", "sums"].map((name) => gpu.pool.allocate(name, n * 4, usage));
  gpu.device.queue.writeBuffer(input.buffer, 0, words);
  const [from, to] = [input, output].map(({ buffer }) => ({ buffer, offset: 0, length: n }));
  scan.record(recorder, { input: from, output: to });
  return async () => {
    const sums = await readU32(gpu, output);
    input.release();
    output.release();
    let expected = 0;
    return sums.every((sum, i) => {
      expected = (expected + words[i]) >>> 0;
      return sum === expected;
    });
  };
}

it("uses workspace again as it shrinks and grows, within one submission and over several", async () => {
  const recorder = new Recorder(gpu);
  for (const sizes of [[5000, 70_000], [300_000, 9000, 150_000], [4097], [600_000, 4096, 600_001]]) {
    const checks = sizes.map((n) => record(recorder, n));
    recorder.submit();
    for (const check of checks) expect(await check()).toBe(true);
  }
  const held = recorder.workspaceSize;
  for (let k = 0; k < 3; k++) {
    const check = record(recorder, 600_001);
    recorder.submit();
    expect(await check()).toBe(true);
  }
  expect(recorder.workspaceSize).toBe(held);
  const before = gpu.pool.use.buffers;
  recorder.dispose();
  expect(gpu.pool.use.buffers).toBeLessThan(before);
});

it("begins tags anew when they run out", async () => {
  const recorder = new Recorder(gpu);
  const first = record(recorder, 50_000);
  recorder.submit();
  expect(await first()).toBe(true);
  while (recorder.tagged(4).tag < maxTag - 1);
  const checks = [50_000, 60_000, 40_000].map((n) => record(recorder, n));
  recorder.submit();
  for (const check of checks) expect(await check()).toBe(true);
  expect(recorder.tagged(4).tag).toBe(3);
  recorder.dispose();
});
