import { add, argmin } from "../../core/primitives/operators.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { type PrimitiveStrategy, portableStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { reduction } from "../../gpu/primitives/reduce/kernels.ts";
import { createReduce } from "../../gpu/primitives/reduce/reduce.ts";
import { createReduceByKey } from "../../gpu/primitives/runs/runs.ts";
import { createScan, type ScanKernel } from "../../gpu/primitives/scan/scan.ts";
import type { BenchCase } from "../case.ts";
import { timeRecorded } from "../measure.ts";
import { generate, noise } from "./primitives-search.ts";
import { repeat } from "./repeated.ts";

/** Elements after which the data repeat, at most; lengths are multiples of it. */
const maxPeriod = 1 << 20;
/** Elements of a segment or run: tiles do not end where these do. */
const segment = 67;

const sizeOf = (isQuick: boolean, n = isQuick ? 1 << 16 : 1 << 28) =>
  n > maxPeriod ? Math.ceil(n / maxPeriod) * maxPeriod : Math.max(64, 2 ** Math.ceil(Math.log2(n)));

/**
 * Whole numbers whose sums differ from tile to tile, so that a wrong prefix shows, and cancel out over the period; all
 * are small enough to be exact as f32 too, in any order.
 */
function periodOf(n: number): Int32Array<ArrayBuffer> {
  const data = Int32Array.from({ length: Math.min(n, maxPeriod) }, (_, i) => (noise(i) % 201) - 100);
  data[data.length - 1] -= data.reduce((sum, x) => sum + x, 0);
  return data;
}

/** Which segment an element of a period is in. */
const key = (i: number) => Math.floor(i / segment);

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
        const data = periodOf(n);
        const period = data.length;
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
        for (let first = 0; first < n; first += period * Math.max(1, n / period / 8)) {
          const words = await readU32(gpu, output, first, period);
          const got = kernel.type === "f32" ? new Float32Array(words.buffer) : new Int32Array(words.buffer);
          let sum = 0;
          for (let i = 0; i < period; i++) {
            if (keys && i % segment === 0) sum = 0;
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

/** Elements after which one is less than all before. */
const falling = 256;

/** f32 that fall, with noise as high as what they fall by in `falling` elements: their words, and a new least one often. */
const fallingWord = (i: number) => (0x80000000 + 4 * i + (noise(i) % (4 * falling))) >>> 0;
const fallingCode = `0x80000000u + 4u * i + noise(i) % ${4 * falling}u`;

const argminCase: BenchCase = {
  name: "primitives/scan_argmin",
  async run({ gpu, isQuick, n: wanted }) {
    const n = sizeOf(isQuick, wanted);
    const scope = gpu.scope();
    const recorder = new Recorder(gpu);
    try {
      const input = await generate(gpu, scope, n, fallingCode);
      const output = scope.allocate("bench: output", n * 4, input.buffer.usage);
      const scan = await createScan(gpu, { type: "f32", operator: argmin }, await chooseStrategy(gpu));
      const operands = { input: viewOf(input), output: viewOf(output) };
      const ms = await timeRecorded(gpu, recorder, () => scan.record(recorder, operands));

      let verified = true;
      const length = Math.min(n, maxPeriod);
      for (let first = 0; first < n; first += length * Math.max(1, n / length / 8)) {
        const got = await readU32(gpu, output, first, length);
        let least = Math.max(0, first - falling);
        for (let i = least + 1; i < first + length; i++) {
          if (fallingWord(i) > fallingWord(least)) least = i;
          if (i >= first) verified &&= got[i - first] === least;
        }
      }
      return { n, ms, bytes: n * 8, verified };
    } finally {
      recorder.dispose();
      scope.release();
    }
  },
};

const reduceCase: BenchCase = {
  name: "primitives/reduce_f32",
  async run({ gpu, isQuick, n: wanted }) {
    const n = sizeOf(isQuick, wanted);
    const scope = gpu.scope();
    const recorder = new Recorder(gpu);
    try {
      const data = Float32Array.from(periodOf(n));
      data[7]++;
      const input = repeat(gpu, scope, n, data);
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const result = scope.allocate("bench: result", 4, usage);
      const reduce = await createReduce(gpu, reduction("f32", add));
      const operands = { inputs: [viewOf(input)], result: viewOf(result), empty: [0] };
      const ms = await timeRecorded(gpu, recorder, () => reduce.record(recorder, operands));
      const [word] = await readU32(gpu, result);
      const verified = new Float32Array(Uint32Array.of(word).buffer)[0] === n / data.length;
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
      const data = Uint32Array.from(periodOf(n), (x) => x + 100);
      const period = data.length;
      const values = repeat(gpu, scope, n, data);
      const keys = repeat(
        gpu,
        scope,
        n,
        Uint32Array.from(data, (_, i) => key(i)),
      );
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const periodRuns = Math.ceil(period / segment);
      const count = (n / period) * periodRuns;
      // Room for as many runs as elements: how many there are is not known before.
      const [keysOut, valuesOut, runs] = [n, n, 1].map((length) =>
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
      const due = new Uint32Array(periodRuns);
      for (const [i, x] of data.entries()) due[key(i)] += x;
      const [sums, names] = await Promise.all(
        [valuesOut, keysOut].map((view) => readU32(gpu, view, count - periodRuns, periodRuns)),
      );
      const verified =
        total === count && names.every((name, k) => name === k) && sums.every((sum, k) => sum === due[k]);
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
  argminCase,
  scanCase("scan_by_key_i32", { type: "i32", operator: add, segments: "u32" }, chooseStrategy),
  reduceByKeyCase,
];
