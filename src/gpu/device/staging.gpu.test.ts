import { describe, expect, test } from "vitest";
import { testGpu } from "../testing/context.ts";
import { GpuContext } from "./context.ts";
import { stagingBytes } from "./staging.ts";
import { readF32, readUnchangingF32, sendF32 } from "./transfer.ts";

const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

/** More than two parts, and an odd rest. */
const count = Math.floor((2.4 * stagingBytes) / 4) - 3;
const ramp = (from: number) => (part: Float32Array, first: number) => {
  for (let i = 0; i < part.length; i++) part[i] = from + first + i;
};
const isRamp = (words: Float32Array, from: number) => words.every((word, i) => word === from + i);

describe("words in several parts", () => {
  test("arrive, and come back, also when several are on their way", async () => {
    const gpu = await testGpu();
    const before = gpu.pool.use.current;
    const buffers = [0, 1, 2].map((k) => gpu.pool.allocate(`words ${k}`, (count + 5) * 4, usage()));
    const sent: number[] = [];
    await Promise.all(
      buffers.map(({ buffer }, k) =>
        sendF32(gpu, buffer, 20, count, ramp(k), (n) => {
          if (k === 0) sent.push(n);
        }),
      ),
    );
    expect(sent).toEqual([stagingBytes / 4, stagingBytes / 2, count]);
    const expected = await readF32(gpu, buffers[1], 5, count);
    expect(isRamp(expected, 1)).toBe(true);
    const { downloads } = gpu.counters;
    const back = await Promise.all(buffers.map((buffer) => readUnchangingF32(gpu, buffer)));
    expect(gpu.counters.downloads).toBe(downloads + 3);
    for (const [k, words] of back.entries()) {
      expect(words.length).toBe(count + 5);
      expect(isRamp(words.subarray(5), k)).toBe(true);
    }
    for (const buffer of buffers) buffer.release();
    expect(gpu.pool.use.current).toBe(before);
  });

  test("do not wait for a device that is gone", async () => {
    const gpu = await GpuContext.open(navigator.gpu);
    const buffer = gpu.pool.allocate("words", count * 4, usage());
    const sending = sendF32(gpu, buffer.buffer, 0, count, ramp(0)).catch(() => "lost");
    gpu.device.destroy();
    await sending;
    await expect(readUnchangingF32(gpu, buffer)).rejects.toThrow();
  });
});
