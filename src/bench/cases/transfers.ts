import { readBytes } from "../../gpu/device/transfer.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";

const words = (isQuick: boolean) => (isQuick ? 1 << 22 : 1 << 26);
const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const pattern = (n: number) => Uint32Array.from({ length: n }, (_, i) => Math.imul(i, 0x85ebca6b));

/** Host memory to the GPU by `queue.writeBuffer`, until the GPU has it. */
export const uploadCase: BenchCase = {
  name: "transfer/upload",
  async run({ gpu, isQuick, n = words(isQuick) }) {
    const data = pattern(n);
    const buffer = gpu.pool.allocate("upload", n * 4, usage());
    try {
      const ms = await timeAsync(gpu, () => {
        gpu.device.queue.writeBuffer(buffer.buffer, 0, data);
        gpu.device.queue.submit([gpu.device.createCommandEncoder().finish()]);
        return gpu.idle();
      });
      const tail = new Uint32Array(await readBytes(gpu, buffer, (n - 1024) * 4, 4096));
      const verified = tail.every((value, i) => value === data[n - 1024 + i]);
      return { n, ms, bytes: n * 4, verified };
    } finally {
      buffer.release();
    }
  },
};

/** GPU memory to a fresh host array, staging buffer included. */
export const readBackCase: BenchCase = {
  name: "transfer/read-back",
  async run({ gpu, isQuick, n = words(isQuick) }) {
    const data = pattern(n);
    const buffer = gpu.pool.allocate("read-back", n * 4, usage());
    try {
      gpu.device.queue.writeBuffer(buffer.buffer, 0, data);
      let got = new ArrayBuffer(0);
      const ms = await timeAsync(gpu, async () => {
        got = await readBytes(gpu, buffer);
      });
      const verified = new Uint32Array(got).every((value, i) => value === data[i]);
      return { n, ms, bytes: n * 4, verified };
    } finally {
      buffer.release();
    }
  },
};
