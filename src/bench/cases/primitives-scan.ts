import { add } from "../../core/primitives/operators.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { Recorder } from "../../gpu/primitives/base/recorder.ts";
import { type PrimitiveStrategy, portableStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { reduction } from "../../gpu/primitives/reduce/kernels.ts";
import { createReduce } from "../../gpu/primitives/reduce/reduce.ts";
import { createReduceByKey } from "../../gpu/primitives/runs/runs.ts";
import { createScan, type ScanKernel } from "../../gpu/primitives/scan/scan.ts";
import type { BenchCase } from "../case.ts";
import { timeRecorded } from "../measure.ts";
import { repeat } from "./repeated.ts";

/** Elements after which the data repeat; lengths are multiples of it. */
const period = 1 << 14;
/** Elements of a segment or run. */
const segment = 64;

const sizeOf = (isQuick: boolean, n = isQuick ? 1 << 16 : 1 << 28) => Math.ceil(n / period) * period;

/** Values whose sums are small enough to be exact as f32 too, in any order: k and −k by turns. */
const value = (i: number) => ((i >> 1) % 100) * (i % 2 === 0 ? 1 : -1);
const key = (i: number) => Math.floor((i % period) / segment);

const viewOf = ({ buffer, size }: PooledBuffer) => ({ buffer, offset: 0, length: size / 4 });

type Choose = (gpu: GpuContext) => Promise<PrimitiveStrategy>;

function scanCase(name: string, kernel: ScanKernel, choose: Choose): BenchCase {
  return {
    name: `primitives/${name}`,
    async run({ gpu, isQuick, n: wanted }) {
      const n = sizeOf(isQuick, wanted);
      const scope = gpu.scope();
      const recorder = new Recorder(gpu);
      try {
        const data = Int32Array.from({ length: period }, (_, i) => value(i));
        const input = repeat(gpu, scope, n, kernel.type === "f32" ? Float32Array.from(data) : data);
        const keys =
          kernel.segments &&
          repeat(
            gpu,
            scope,
            n,
            Uint32Array.from(data, (_, i) => key(i)),
          );
        const output = scope.allocate("bench: output", n * 4, input.buffer.usage);
        const scan = await createScan(gpu, kernel, await choose(gpu));
        const operands = { input: viewOf(input), output: viewOf(output), segments: keys && viewOf(keys) };
        const ms = await timeRecorded(gpu, recorder, () => scan.record(recorder, operands));

        let verified = true;
        for (const first of [0, Math.floor(n / period / 2) * period, n - period]) {
          const words = await readU32(gpu, output, first, period);
          const got = kernel.type === "f32" ? new Float32Array(words.buffer) : new Int32Array(words.buffer);
          // A period's values cancel out, and so do those of every segment.
          let sum = 0;
          for (let i = 0; i < period; i++) {
            const through = sum + data[i];
            verified &&= got[i] === (kernel.exclusive ? sum : through);
            sum = through;
          }
        }
        return { n, ms, bytes: n * (keys ? 12 : 8), verified };
      } finally {
        recorder.dispose();
        scope.release();
      }
    },
  };
}

const reduceCase: BenchCase = {
  name: "primitives/reduce_f32",
  async run({ gpu, isQuick, n: wanted }) {
    const n = sizeOf(isQuick, wanted);
    const scope = gpu.scope();
    const recorder = new Recorder(gpu);
    try {
      const data = Float32Array.from({ length: period }, (_, i) => (i === 77 ? 1 : 0) + value(i));
      const input = repeat(gpu, scope, n, data);
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const result = scope.allocate("bench: result", 4, usage);
      const reduce = await createReduce(gpu, reduction("f32", add));
      const operands = { inputs: [viewOf(input)], result: viewOf(result), empty: [0] };
      const ms = await timeRecorded(gpu, recorder, () => reduce.record(recorder, operands));
      const [word] = await readU32(gpu, result);
      const verified = new Float32Array(Uint32Array.of(word).buffer)[0] === n / period;
      return { n, ms, bytes: n * 4, verified };
    } finally {
      recorder.dispose();
      scope.release();
    }
  },
};

const reduceByKeyCase: BenchCase = {
  name: "primitives/reduce_by_key_u32",
  async run({ gpu, isQuick, n: wanted }) {
    const n = sizeOf(isQuick, wanted);
    const scope = gpu.scope();
    const recorder = new Recorder(gpu);
    try {
      const values = repeat(
        gpu,
        scope,
        n,
        Uint32Array.from({ length: period }, (_, i) => i),
      );
      const keys = repeat(
        gpu,
        scope,
        n,
        Uint32Array.from({ length: period }, (_, i) => key(i)),
      );
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const count = n / segment;
      const [keysOut, valuesOut, runs] = [count, count, 1].map((length) =>
        scope.allocate("bench: runs", length * 4, usage),
      );
      const reduce = await createReduceByKey(gpu, "u32", "u32", add, await chooseStrategy(gpu));
      const operands = {
        keys: viewOf(keys),
        values: viewOf(values),
        keysOut: viewOf(keysOut),
        valuesOut: viewOf(valuesOut),
        runs: viewOf(runs),
      };
      const ms = await timeRecorded(gpu, recorder, () => reduce.record(recorder, operands));
      const [total] = await readU32(gpu, runs);
      const [sums, names] = await Promise.all(
        [valuesOut, keysOut].map((view) => readU32(gpu, view, count - period / segment)),
      );
      const verified =
        total === count &&
        names.every((name, k) => name === k) &&
        sums.every((sum, k) => sum === segment * segment * k + (segment * (segment - 1)) / 2);
      return { n, ms, bytes: n * 8 + count * 8, verified };
    } finally {
      recorder.dispose();
      scope.release();
    }
  },
};

const inOrder: Choose = async (gpu) => ({
  subgroups: gpu.device.features.has("subgroups"),
  scan: "reduce-then-scan",
});
const portable: Choose = async () => portableStrategy;

export const scanCases: readonly BenchCase[] = [
  reduceCase,
  scanCase("scan_i32", { type: "i32", operator: add }, chooseStrategy),
  scanCase("scan_exclusive_i32", { type: "i32", operator: add, exclusive: true }, chooseStrategy),
  scanCase("scan_f32", { type: "f32", operator: add }, chooseStrategy),
  scanCase("scan_reduce_then_scan", { type: "i32", operator: add }, inOrder),
  scanCase("scan_no_subgroups", { type: "i32", operator: add }, portable),
  scanCase("scan_by_key_i32", { type: "i32", operator: add, segments: "u32" }, chooseStrategy),
  reduceByKeyCase,
];
