import { toIndex } from "../../core/hypercube/coordinates.ts";
import { sourceIndex } from "../../core/hypercube/index-map.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { hostRearrangement } from "../../cpu/hypercube/rearrange.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { createRearrangement } from "../../gpu/hypercube/rearrange.ts";
import type { BenchCase, BenchContext } from "../case.ts";
import { timePass, timeRecorded } from "../measure.ts";
import { handKernel, handTile } from "./hypercube-kernels.ts";
import { repeat } from "./repeated.ts";

/** What is measured; Morton order takes lengths that are powers of two, crinkles even ones. */
const transforms = [
  ["flip_x", "flip(x)"],
  ["flip_y", "flip(y)"],
  ["shift_x", "shift(x, 3)"],
  ["shift_y", "shift(y, 3)"],
  ["crinkle_x", "crinkle(x, 2)"],
  ["crinkle_y", "crinkle(y, 2)"],
  ["transpose", "transpose(x, y)"],
  ["composition", "shift(x, 3) | flip(x) | crinkle(y, 2)"],
  ["morton", "morton()"],
] as const;

/** Sides of squares and cubes: powers of two (the seed's kernels B), and others (A). */
const squares = [256, 512, 1024, 2048, 4096, 8192, 16384, 1000, 5000, 10000] as const;
const cubes = [64, 128, 256, 512, 100, 600, 800] as const;
/** Sides of the quick run. */
const quick = { 2: 64, 3: 16 } as const;

/** Words after which what is moved repeats, within blocks that `repeat` sends: not a divisor of any length. */
const period = 65521;
const block = 2 ** 20;

const wordAt = (index: number): number => Math.imul(((index % block) % period) + 1, 0x9e3779b1) >>> 0;

/** The source: as many words as there are elements. */
function sourceOf(gpu: GpuContext, scope: ReturnType<GpuContext["scope"]>, count: number) {
  return repeat(
    gpu,
    scope,
    count,
    Uint32Array.from({ length: period }, (_, i) => wordAt(i)),
  );
}

async function measure(
  { gpu, isQuick, n: wanted }: BenchContext,
  name: string,
  text: string,
  axes: 2 | 3,
  usual: number,
  isByHand: boolean,
) {
  const n = wanted ?? (isQuick ? quick[axes] : usual);
  const lengths = new Array<number>(axes).fill(n);
  const map = mapOf(lengths, parseTransform(text));
  const count = countOf(lengths);
  const scope = gpu.scope();
  const recorder = new Recorder(gpu, "bench: rearrangement");
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  try {
    const source = sourceOf(gpu, scope, count);
    const target = scope.allocate("bench: result", 4 * count, STORAGE | COPY_SRC);
    let ms: number;
    if (isByHand) {
      const { code, rows } = handKernel(name)!;
      const constants = { nx: n, ny: n, nz: axes === 3 ? n : 1 };
      const pipeline = await gpu.pipelines.get({
        label: `${name} by hand`,
        code,
        entryPoint: "main",
        constants,
      });
      const group = gpu.device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [source, target].map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
      });
      ms = await timePass(gpu, (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(Math.ceil(n / handTile[0]), Math.ceil(n / rows), constants.nz);
      });
    } else {
      const ready = await createRearrangement(gpu, map, 4);
      const view = ({ buffer }: { readonly buffer: GPUBuffer }) => ({ buffer, offset: 0, length: count });
      const operands = { source: view(source), target: view(target) };
      ms = await timeRecorded(gpu, recorder, () => ready.record(recorder, operands));
    }
    const indexOf = sourceIndex(map);
    let verified = true;
    const length = Math.min(count, 4096);
    const middle = toIndex(
      lengths,
      lengths.map((side) => side >> 1),
    );
    for (const first of [0, Math.min(middle, count - length), count - length]) {
      const words = await readU32(gpu, target, first, length);
      verified &&= words.every((word, i) => word === wordAt(indexOf(first + i)!));
    }
    return { n: count, ms, bytes: 8 * count, verified };
  } finally {
    recorder.dispose();
    scope.release();
  }
}

function casesOf(axes: 2 | 3, sides: readonly number[]): BenchCase[] {
  return sides.flatMap((side) =>
    transforms.flatMap(([name, text]) => {
      if (name === "morton" && !Number.isInteger(Math.log2(side))) return [];
      const forms = handKernel(name) ? [false, true] : [false];
      return forms.map((isByHand) => ({
        name: `hypercube/${name}/${side}${axes === 2 ? "²" : "³"}${isByHand ? " by hand" : ""}`,
        run: (context: BenchContext) => measure(context, name, text, axes, side, isByHand),
      }));
    }),
  );
}

/** The same on the CPU, one thread; n: the side of a square. */
const hostCases = transforms.map(
  ([name, text]): BenchCase => ({
    name: `hypercube/cpu/${name}`,
    async run({ isQuick, n = isQuick ? 64 : 4096 }) {
      const map = mapOf([n, n], parseTransform(text));
      const source = Uint32Array.from({ length: n * n }, (_, i) => wordAt(i));
      const target = new Uint32Array(n * n);
      const ready = hostRearrangement(map, 4);
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        ready.apply(source, target);
        return performance.now() - start;
      });
      const indexOf = sourceIndex(map);
      const verified = target.subarray(0, 4096).every((word, i) => word === wordAt(indexOf(i)!));
      return { n: n * n, ms: times.sort((a, b) => a - b)[2], bytes: 8 * n * n, verified };
    },
  }),
);

/** Flips, shifts, crinkles, transposes, a composition and Morton order, each beside a kernel written by hand. n: the side. */
export const hypercubeCases: readonly BenchCase[] = [
  ...casesOf(2, squares),
  ...casesOf(3, cubes),
  ...hostCases,
];
