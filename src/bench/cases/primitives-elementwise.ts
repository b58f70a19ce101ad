import type { ScalarType } from "../../core/primitives/vector.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { View } from "../../gpu/compute/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { createReverse } from "../../gpu/primitives/elementwise/reverse.ts";
import type { Source } from "../../gpu/primitives/elementwise/sources.ts";
import { createTransform } from "../../gpu/primitives/elementwise/transform.ts";
import { createGather, createScatter } from "../../gpu/primitives/gather/gather.ts";
import type { BenchCase } from "../case.ts";
import { timeRecorded } from "../measure.ts";

/** The greatest power of two that is not above what was asked for. */
const sizeOf = (isQuick: boolean, n = isQuick ? 1 << 16 : 1 << 28) => 2 ** Math.floor(Math.log2(n));

const viewOf = ({ buffer, size }: PooledBuffer): View => ({ buffer, offset: 0, length: size / 4 });
const read = (view: View): Source => ({ kind: "view", view });

/** Input k's element i, exact as f32: WGSL in x0 (u32), and the same here. */
const elementWgsl = (k: number) => `(x0 * ${2 * k + 3}u) & 1023u`;
const elementOf = (i: number, k: number) => Math.imul(i, 2 * k + 3) & 1023;

/** A permutation of 0 … 2^bits − 1 without visible order: WGSL in x0 (u32), and the same here. */
function permutation(bits: number) {
  const [mask, half] = [2 ** bits - 1, Math.ceil(bits / 2)];
  const rounds = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35];
  const wgsl = rounds.reduce((x, odd) => {
    const product = `(((${x}) * ${odd}u) & ${mask}u)`;
    return `(${product} ^ (${product} >> ${half}u))`;
  }, "x0");
  const js = (i: number) =>
    rounds.reduce((x, odd) => {
      const product = (Math.imul(x, odd) & mask) >>> 0;
      return (product ^ (product >>> half)) >>> 0;
    }, i);
  return { wgsl, js };
}

interface Prepared {
  record(): void;
  readonly output: PooledBuffer;
  /** The word that the output has at i. */
  due(i: number): number;
  /** Bytes for each element. */
  readonly bytes: number;
}

interface Tools {
  readonly gpu: GpuContext;
  readonly recorder: Recorder;
  readonly n: number;
  make(type: ScalarType, wgsl: string): Promise<View>;
  room(): PooledBuffer;
}

function elementwiseCase(name: string, prepare: (tools: Tools) => Promise<Prepared>): BenchCase {
  return {
    name: `primitives/${name}`,
    async run({ gpu, isQuick, n: wanted }) {
      const n = sizeOf(isQuick, wanted);
      const scope = gpu.scope();
      const recorder = new Recorder(gpu);
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
      const room = () => scope.allocate("bench: elements", n * 4, usage);
      const make = async (type: ScalarType, wgsl: string): Promise<View> => {
        const inputs = [{ kind: "counting", type: "u32" }] as const;
        const transform = await createTransform(gpu, { name: "bench: input", inputs, type, text: wgsl });
        const output = viewOf(room());
        transform.record(recorder, { inputs: [{ kind: "counting", start: 0, step: 1 }], output });
        recorder.submit();
        return output;
      };
      try {
        const { record, output, due, bytes } = await prepare({ gpu, recorder, n, make, room });
        const ms = await timeRecorded(gpu, recorder, record);
        let verified = true;
        const length = Math.min(n, 4096);
        for (const first of [0, n / 2, n - length]) {
          const words = await readU32(gpu, output, first, Math.min(length, n - first));
          verified &&= words.every((word, i) => word === due(first + i));
        }
        return { n, ms, bytes: n * bytes, verified };
      } finally {
        recorder.dispose();
        scope.release();
      }
    },
  };
}

const f32Word = (x: number) => new Uint32Array(Float32Array.of(x).buffer)[0];

/** y = f(a, b, …) of f32 vectors; f is exact. */
const arithmeticCase = (name: string, inputs: number, wgsl: string, f: (...x: number[]) => number) =>
  elementwiseCase(name, async ({ gpu, recorder, make, room }) => {
    const views = await Promise.all(Array.from({ length: inputs }, (_, k) => make("f32", elementWgsl(k))));
    const types = views.map(() => ({ kind: "view", type: "f32" }) as const);
    const transform = await createTransform(gpu, { name, inputs: types, type: "f32", text: wgsl });
    const output = room();
    const operands = { inputs: views.map(read), output: viewOf(output) };
    return {
      record: () => transform.record(recorder, operands),
      output,
      due: (i) => f32Word(f(...views.map((_, k) => elementOf(i, k)))),
      bytes: 4 * (inputs + 1),
    };
  });

export const elementwiseCases: readonly BenchCase[] = [
  arithmeticCase("transform_f32", 1, "2.0 * x0 + 1.0", (x) => 2 * x + 1),
  arithmeticCase("zip_three_f32", 3, "x0 * x1 + x2", (a, b, c) => a * b + c),
  elementwiseCase("sequence_u32", async ({ gpu, recorder, room }) => {
    const inputs = [{ kind: "counting", type: "u32" }] as const;
    const transform = await createTransform(gpu, { name: "sequence", inputs, type: "u32", text: "x0" });
    const output = room();
    const operands = {
      inputs: [{ kind: "counting", start: 7, step: 3 } as const],
      output: viewOf(output),
    };
    return {
      record: () => transform.record(recorder, operands),
      output,
      due: (i) => 7 + 3 * i,
      bytes: 4,
    };
  }),
  elementwiseCase("reverse_u32", async ({ gpu, recorder, n, make, room }) => {
    const reverse = await createReverse(gpu);
    const output = room();
    const operands = { input: await make("u32", "x0"), output: viewOf(output) };
    return {
      record: () => reverse.record(recorder, operands),
      output,
      due: (i) => n - 1 - i,
      bytes: 8,
    };
  }),
  elementwiseCase("gather_random_u32", async ({ gpu, recorder, n, make, room }) => {
    const { wgsl, js } = permutation(Math.log2(n));
    const gather = await createGather(gpu, 1);
    const output = room();
    const operands = {
      map: await make("u32", wgsl),
      source: await make("u32", "x0 * 5u"),
      output: viewOf(output),
    };
    return {
      record: () => gather.record(recorder, operands),
      output,
      due: (i) => Math.imul(js(i), 5) >>> 0,
      bytes: 12,
    };
  }),
  elementwiseCase("scatter_random_u32", async ({ gpu, recorder, n, make, room }) => {
    const { wgsl } = permutation(Math.log2(n));
    const scatter = await createScatter(gpu, 1);
    const output = room();
    // What goes to place p is p's own number: element i holds where it goes.
    const map = await make("u32", wgsl);
    const operands = { source: await make("u32", `${wgsl} * 5u`), map, target: viewOf(output) };
    return {
      record: () => scatter.record(recorder, operands),
      output,
      due: (i) => Math.imul(i, 5) >>> 0,
      bytes: 12,
    };
  }),
];
