import { add, xor } from "../../core/primitives/operators.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { View } from "../../gpu/compute/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../gpu/device/pool.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { type PrimitiveStrategy, portableStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import type { Source } from "../../gpu/primitives/elementwise/sources.ts";
import { createTransform } from "../../gpu/primitives/elementwise/transform.ts";
import { createGather } from "../../gpu/primitives/gather/gather.ts";
import { reduction } from "../../gpu/primitives/reduce/kernels.ts";
import { createReduce } from "../../gpu/primitives/reduce/reduce.ts";
import { createRadixSort } from "../../gpu/primitives/sort/radix-sort.ts";
import type { BenchCase } from "../case.ts";
import { timeRecorded } from "../measure.ts";

type Choose = (gpu: GpuContext) => Promise<PrimitiveStrategy>;

const view = (given: View): Source => ({ kind: "view", view: given });

interface PooledView extends View {
  readonly pooled: PooledBuffer;
}

/** Operations on vectors of a case, which live as long as its scope. */
class Vectors {
  readonly gpu: GpuContext;
  readonly recorder: Recorder;
  readonly #scope: BufferScope;

  constructor(gpu: GpuContext, recorder: Recorder, scope: BufferScope) {
    this.gpu = gpu;
    this.recorder = recorder;
    this.#scope = scope;
  }

  make(length: number): PooledView {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const pooled = this.#scope.allocate("bench: sort", Math.max(4, length * 4), usage);
    return { pooled, buffer: pooled.buffer, offset: 0, length };
  }

  async transform(wgsl: string, types: readonly ScalarType[], sources: readonly Source[], length: number) {
    const inputs = types.map((type, k) => ({ kind: sources[k].kind, type }));
    const transform = await createTransform(this.gpu, {
      name: "bench: sort",
      inputs,
      type: "u32",
      text: wgsl,
    });
    const output = this.make(length);
    transform.record(this.recorder, { inputs: sources, output });
    return output;
  }

  async reduce(input: View, operator: typeof add): Promise<number> {
    const reduce = await createReduce(this.gpu, reduction("u32", operator));
    const result = this.make(1);
    reduce.record(this.recorder, { inputs: [input], result, empty: [0] });
    this.recorder.submit();
    return (await readU32(this.gpu, result.pooled))[0];
  }

  /** Words whose sum and exclusive or tell the same elements from others, all but certainly. */
  async checksum(input: View): Promise<string> {
    const hashed = await this.transform(
      "(x0 ^ (x0 >> 15u)) * 2246822519u",
      ["u32"],
      [view(input)],
      input.length,
    );
    return `${await this.reduce(hashed, add)} ${await this.reduce(hashed, xor)}`;
  }
}

const tail = (given: View): View => ({ ...given, offset: given.offset + 1, length: given.length - 1 });
const head = (given: View): View => ({ ...given, length: given.length - 1 });

/** How many neighbours are out of order: of sorted keys, and of values where keys are equal. */
async function faults(vectors: Vectors, type: ScalarType, keys: View, values?: View): Promise<number> {
  const sources = [keys, ...(values ? [values] : [])].flatMap((one) => [view(head(one)), view(tail(one))]);
  const types: ScalarType[] = values ? [type, type, "u32", "u32"] : [type, type];
  const wgsl = values ? "x0 > x1 || (x0 == x1 && x2 >= x3)" : "x0 > x1";
  return vectors.reduce(await vectors.transform(wgsl, types, sources, keys.length - 1), add);
}

interface SortKind {
  readonly type?: ScalarType;
  /** Keys where no number is asked for; a case with its power in its name sorts no more where one is. */
  readonly power?: number;
  readonly pairs?: boolean;
  readonly choose?: Choose;
}

const largest = 28;

function sortCase(
  name: string,
  { type = "u32", power = largest, pairs = false, choose = chooseStrategy }: SortKind,
): BenchCase {
  return {
    name: `primitives/${name}`,
    async run({ gpu, isQuick, n: wanted = 2 ** (isQuick ? power - 14 : power) }) {
      const n = power < largest ? Math.min(wanted, 2 ** power) : wanted;
      const scope = gpu.scope();
      const recorder = new Recorder(gpu);
      const vectors = new Vectors(gpu, recorder, scope);
      try {
        const random = "(x0 * 2654435761u) ^ ((x0 * 2246822519u) >> 13u) ^ (x0 << 7u)";
        const wgsl = type === "f32" ? `bitcast<u32>(f32(i32(${random})) * 1.25e-6)` : random;
        const keys = await vectors.transform(wgsl, ["u32"], [{ kind: "counting", start: 0, step: 1 }], n);
        const result = vectors.make(n);
        const sort = await createRadixSort(gpu, await choose(gpu));
        let record = () => sort.record(recorder, { type, count: n, keys, sorted: result });
        let order: View | undefined;
        if (pairs) {
          const values = await vectors.transform("x0", ["u32"], [{ kind: "counting", start: 0, step: 1 }], n);
          const sortedValues = vectors.make(n);
          order = sortedValues;
          record = () =>
            sort.recordPairs(recorder, { type, count: n, keys, sorted: result, values, sortedValues });
        }
        const ms = await timeRecorded(gpu, recorder, record);
        let verified =
          (await faults(vectors, type, result, order)) === 0 &&
          (await vectors.checksum(keys)) === (await vectors.checksum(result));
        if (order) {
          const gather = await createGather(gpu, 1);
          const taken = vectors.make(n);
          gather.record(recorder, { map: order, source: keys, output: taken });
          const differ = await vectors.transform("x0 != x1", ["u32", "u32"], [view(taken), view(result)], n);
          verified &&= (await vectors.reduce(differ, add)) === 0;
        }
        // Keys are read once more than they are written: their histogram comes first.
        return { n, ms, bytes: n * (pairs ? 68 : 36), verified };
      } finally {
        recorder.dispose();
        scope.release();
      }
    },
  };
}

const inOrder: Choose = async (gpu) => ({
  subgroups: gpu.device.features.has("subgroups"),
  scan: "reduce-then-scan",
});
const portable: Choose = async () => portableStrategy;

export const sortCases: readonly BenchCase[] = [
  sortCase("sort_u32_24", { power: 24 }),
  sortCase("sort_u32_26", { power: 26 }),
  sortCase("sort_u32", {}),
  sortCase("sort_f32", { type: "f32" }),
  sortCase("sort_pairs_u32_24", { power: 24, pairs: true }),
  sortCase("sort_pairs_u32", { pairs: true }),
  sortCase("sort_u32_reduce_then_scan", { choose: inOrder }),
  sortCase("sort_u32_no_subgroups", { choose: portable }),
];
