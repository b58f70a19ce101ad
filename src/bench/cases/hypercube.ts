import { toIndex } from "../../core/hypercube/coordinates.ts";
import { type IndexMap, sourceIndex } from "../../core/hypercube/index-map.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { hostRearrangement } from "../../cpu/hypercube/rearrange.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import type { BenchCase, BenchContext, Measurement } from "../case.ts";
import { timePass } from "../measure.ts";
import { encodeOf, type Form } from "./hypercube-encode.ts";
import { handKernel } from "./hypercube-kernels.ts";
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

/**
 * Sides of squares and cubes: powers of two (the seed's kernels B), and others (A). Kernels written by hand are its C: so in its § 10,
 * while its § 11 calls those A, and C what § 10 calls A. 1024³ words take several bindings.
 */
const sides = {
  2: [256, 512, 1024, 2048, 4096, 8192, 16384, 300, 600, 1000, 2000, 5000, 10000],
  3: [64, 128, 256, 512, 1024, 100, 300, 600, 800],
} as const;
/** Sides of the quick run. */
const quick = { 2: 64, 3: 16 } as const;

/** What is measured of textures too, and at which sides. */
const textured: readonly string[] = ["flip_x", "shift_x", "shift_y", "crinkle_x", "transpose", "morton"];
const texturedSides: readonly number[] = [4096, 512];

/** Texels of whose number a row of theirs has to be a multiple to be filled from a buffer: 256 bytes. */
const texelRow = 64;

/** What is measured on the CPU at several sides. */
const alongRows: readonly string[] = ["flip_x", "shift_x", "crinkle_x"];
const hostSides = [256, 512, 1024, 2048, 4096] as const;

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
  form: Form,
): Promise<Measurement> {
  const given = wanted ?? (isQuick ? quick[axes] : usual);
  const n = form.startsWith("from a texture") ? Math.ceil(given / texelRow) * texelRow : given;
  const lengths = new Array<number>(axes).fill(n);
  const map = mapOf(lengths, parseTransform(text));
  const count = countOf(lengths);
  const scope = gpu.scope();
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  try {
    const { source, target } = await gpu.checked("A bench of layouts", () => ({
      source: sourceOf(gpu, scope, count),
      target: scope.allocate("bench: result", 4 * count, STORAGE | COPY_SRC, gpu.pool.largestBuffer),
    }));
    const work = { gpu, name, map, source: source.buffer, target: target.buffer };
    const { encode, free } = await encodeOf(form, work);
    const ms = await timePass(gpu, encode);
    free?.();
    const verified = await isRight(gpu, target, map);
    return { n: count, ms, bytes: 8 * count, verified };
  } finally {
    scope.release();
  }
}

/** Whether the first words of a result, those in the middle and the last ones are what the map makes of the source. */
async function isRight(gpu: GpuContext, target: PooledBuffer, map: IndexMap): Promise<boolean> {
  const indexOf = sourceIndex(map);
  const count = countOf(map.to);
  const length = Math.min(count, 4096);
  const middle = toIndex(
    map.to,
    map.to.map((side) => side >> 1),
  );
  for (const first of [0, Math.min(middle, count - length), count - length]) {
    const words = await readU32(gpu, target, first, length);
    if (!words.every((word, i) => word === wordAt(indexOf(first + i)!))) return false;
  }
  return true;
}

/** The forms in which a transform of a side is measured; arrays beyond a binding are not bound by kernels written by hand. */
function formsOf(name: string, axes: 2 | 3, side: number): Form[] {
  const isWritten = handKernel(name) !== undefined && side ** axes < 2 ** 29;
  const isTextured =
    textured.includes(name) && texturedSides.includes(side) && (axes === 2) === (side === 4096);
  return [
    "generated",
    ...(isWritten ? (["by hand"] as const) : []),
    ...(isTextured ? (["from a texture", "from a texture without tiles"] as const) : []),
  ];
}

const casesOf = (axes: 2 | 3): BenchCase[] =>
  sides[axes].flatMap((side) =>
    transforms.flatMap(([name, text]) => {
      if (name === "morton" && !Number.isInteger(Math.log2(side))) return [];
      return formsOf(name, axes, side).map((form) => ({
        name: `hypercube/${name}/${side}${axes === 2 ? "²" : "³"}${form === "generated" ? "" : ` ${form}`}`,
        run: (context: BenchContext) => measure(context, name, text, axes, side, form),
      }));
    }),
  );

/** The same on the CPU, one thread; n: the side of a square. */
const hostCases = transforms.flatMap(([name, text]): BenchCase[] =>
  (alongRows.includes(name) ? hostSides : [4096]).map((side) => ({
    name: `hypercube/cpu/${name}/${side}²`,
    async run({ isQuick, n = isQuick ? 64 : side }) {
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
  })),
);

/** Flips, shifts, crinkles, transposes, a composition and Morton order, each beside a kernel written by hand. n: the side. */
export const hypercubeCases: readonly BenchCase[] = [...casesOf(2), ...casesOf(3), ...hostCases];
