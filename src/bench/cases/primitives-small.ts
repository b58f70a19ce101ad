import { add } from "../../core/primitives/operators.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { reduction } from "../../gpu/primitives/reduce/kernels.ts";
import { createReduce } from "../../gpu/primitives/reduce/reduce.ts";
import { createScan } from "../../gpu/primitives/scan/scan.ts";
import { createRadixSort } from "../../gpu/primitives/sort/radix-sort.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync, timeRecorded } from "../measure.ts";
import { noise } from "./primitives-search.ts";

type What = "scan" | "reduce" | "sort";

/** Short inputs: what a primitive costs in a chain of others, or alone until the host knows that it has run. */
function smallCase(what: What, log2: number, isWaited: boolean): BenchCase {
  return {
    name: `primitives/small/${what}_2^${log2}${isWaited ? "_waited" : ""}`,
    async run({ gpu }) {
      const n = 2 ** log2;
      const scope = gpu.scope();
      const recorder = new Recorder(gpu);
      try {
        const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
        const input = scope.allocate("bench: input", n * 4, STORAGE | COPY_DST);
        const data = Uint32Array.from({ length: n }, (_, i) => noise(i) % 777);
        gpu.device.queue.writeBuffer(input.buffer, 0, data);
        const output = scope.allocate("bench: output", n * 4, STORAGE | COPY_SRC);
        const record = await recording(gpu, recorder, what, input.buffer, output.buffer, n);
        const ms = isWaited
          ? await timeAsync(gpu, () => {
              record();
              recorder.submit();
              return gpu.idle();
            })
          : await timeRecorded(gpu, recorder, record);
        const due = {
          scan: () => data.reduce((sum, x) => sum + x, 0),
          reduce: () => data.reduce((sum, x) => sum + x, 0),
          sort: () => data.toSorted()[n - 1],
        };
        const [last] = await readU32(gpu, output, what === "reduce" ? 0 : n - 1, 1);
        const bytes = { scan: 8, reduce: 4, sort: 36 };
        return { n, ms, bytes: n * bytes[what], verified: last === due[what]() };
      } finally {
        recorder.dispose();
        scope.release();
      }
    },
  };
}

async function recording(
  gpu: GpuContext,
  recorder: Recorder,
  what: What,
  from: GPUBuffer,
  to: GPUBuffer,
  length: number,
): Promise<() => void> {
  const input = { buffer: from, offset: 0, length };
  const output = { buffer: to, offset: 0, length };
  if (what === "scan") {
    const scan = await createScan(gpu, { type: "u32", operator: add }, await chooseStrategy(gpu));
    return () => scan.record(recorder, { input, output });
  }
  if (what === "sort") {
    const sort = await createRadixSort(gpu, await chooseStrategy(gpu));
    return () => sort.record(recorder, { type: "u32", count: length, keys: input, sorted: output });
  }
  const reduce = await createReduce(gpu, reduction("u32", add));
  const result = { ...output, length: 1 };
  return () => reduce.record(recorder, { inputs: [input], result, empty: [0] });
}

export const smallCases: readonly BenchCase[] = [
  ...[10, 12, 14, 16].flatMap((log2) => [
    smallCase("scan", log2, false),
    smallCase("reduce", log2, false),
    smallCase("sort", log2, false),
  ]),
  smallCase("scan", 10, true),
  smallCase("scan", 16, true),
];
