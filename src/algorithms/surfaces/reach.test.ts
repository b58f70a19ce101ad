import { expect, it } from "vitest";
import type { Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import type { Inputs, Kernel, KernelArguments, Slots, VectorsOf } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { type KernelPart, kernelWords } from "../../cpu/primitives/kernels.ts";
import { isCpuVector } from "../../cpu/primitives/vector.ts";
import { crowdedGrid, sample } from "../../cpu/surfaces/testing/fields.ts";
import { reachesOf } from "../../kernel/footprint.ts";
import { type InputBlock, type RowPart, wholeRow } from "../../kernel/layout.ts";
import { kernelProgram } from "../../kernel/records.ts";
import { watchAccess } from "../../kernel/testing/watch-access.ts";
import { composedClip } from "./clip.ts";
import { composedCut } from "./cut.ts";
import { composedIsosurface } from "./isosurface.ts";
import { composedSlice } from "./slice.ts";
import { surfaceGrid } from "./surface-grid.ts";
import { composedThreshold } from "./threshold.ts";

/** Primitives that let `look` see each call of a kernel before it runs. */
function looking(look: (kernel: Kernel, whole: KernelPart) => void): Primitives {
  const p = createCpuPrimitives();
  function forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>>;
  async function forEach(count: number, kernel: Kernel, given: KernelArguments<Inputs, Slots>) {
    const inputs = Object.keys(kernel.inputs).map((name): [string, InputBlock] => {
      const vector = given.inputs[name];
      return [name, { words: wordsOf(vector), part: wholeRow(vector.length) }];
    });
    const at = given.at && wordsOf(given.at);
    const { constants } = given;
    look(kernel, { space: wholeRow(count), inputs: Object.fromEntries(inputs), constants, at });
    return p.forEach(count, kernel, given);
  }
  return { ...p, forEach };
}

function wordsOf<T extends ScalarType>(vector: Vector<T>): HostArray<T> {
  if (!isCpuVector(vector)) throw new Error("The test's vectors are in host memory.");
  return vector.words();
}

/** Counts what kernels read, and what of it is beyond the footprint that they declare. */
class Watch {
  reads = 0;
  readonly beyond: string[] = [];
  readonly primitives = looking((kernel, { at, ...whole }) => {
    const outputs = kernelWords(kernel, { ...whole, at });
    const call = { ...whole, outputs, at: at && { elements: at } };
    const { loads, violations } = watchAccess(kernelProgram(kernel), call);
    this.reads += loads;
    this.beyond.push(...violations);
  });
}

/** Runs kernels on parts of their results, with no more of the inputs than they declare, and compares what they make. */
class Parting {
  readonly kernels = new Set<string>();
  parts = 0;
  readonly primitives = looking((kernel, whole) => {
    const { length } = whole.space;
    const made = Object.entries(kernelWords(kernel, whole));
    const ends = [0, Math.ceil(length / 5), Math.ceil(length / 2), length];
    for (let k = 0; k + 1 < ends.length; k++) {
      const space = { ...whole.space, first: ends[k], length: ends[k + 1] - ends[k] };
      if (space.length === 0) continue;
      const words = kernelWords(kernel, partOf(kernel, whole, space));
      for (const [name, all] of made) {
        const width = all.length / length;
        const expected = all.subarray(width * ends[k], width * ends[k + 1]);
        expect(words[name], `${kernel.name}: ${name} from ${ends[k]}`).toEqual(expected);
      }
      this.parts++;
    }
    this.kernels.add(kernel.name);
  });
}

/** What a rank would have for some of the results: its own elements and ghosts before and after them. */
function partOf(kernel: Kernel, whole: KernelPart, space: RowPart): KernelPart {
  const at = whole.at?.slice(space.first, space.first + space.length);
  const elements = at ? Array.from(at) : [space.first, space.first + space.length - 1];
  const first = elements.reduce((a, b) => Math.min(a, b));
  const last = elements.reduce((a, b) => Math.max(a, b));
  const program = kernelProgram(kernel);
  const reaches = reachesOf(program, whole.constants);
  const inputs = Object.entries(whole.inputs).map(([name, block]): [string, InputBlock] => {
    const { access, components = 1 } = program.inputs[name];
    const reach = reaches[name];
    if (!reach || block.part.kind !== "row") return [name, block];
    const isOwn = access.kind === "own";
    const stride = access.kind === "footprint" ? (access.stride ?? 1) : 1;
    const from = isOwn ? space.first : Math.max(0, first * stride - reach.before[0]);
    const end = isOwn ? space.first + space.length : last * stride + reach.after[0] + 1;
    const to = Math.min(end, block.part.whole);
    return [name, partOfBlock(block.words as HostArray, block.part, components, from, to)];
  });
  return { space, inputs: Object.fromEntries(inputs), constants: whole.constants, at };
}

const partOfBlock = (
  words: HostArray,
  part: RowPart,
  components: number,
  from: number,
  to: number,
): InputBlock => ({
  words: words.slice(components * from, components * to),
  part: { ...part, first: from, length: to - from },
});

/** Surfaces of every kind, which call all kernels of this folder. */
async function runAll(p: Primitives, dims: Triple): Promise<void> {
  const grid = crowdedGrid(dims);
  const on = surfaceGrid(p, grid);
  const values = p.fromHost("f32", sample(grid, (x, y, z) => x + 0.9 * y + 0.8 * z).data as Float32Array);
  const vector = p.fromHost("f32", new Float32Array(3 * values.length), 3);
  const fields = [values, vector];
  const request = { isovalues: [0.1, 0.5], fields, hasCells: true };
  const surface = await composedIsosurface(p, on, values, { ...request, isFlat: true });
  expect(surface.positions.length).toBeGreaterThan(0);
  const welded = await composedIsosurface(p, on, values, { ...request, isWelded: true });
  await composedThreshold(p, on, values, [-2, 1], { fields, hasCells: true });
  await composedSlice(p, on, { axis: 1, position: 0.01 }, { fields });
  for (const cutter of [
    { kind: "plane", plane: { origin: [0, 0, 0], normal: [1, 2, 3] } },
    { kind: "sphere", center: [0, 0, 0], radius: 0.8 },
  ] as const) {
    await composedCut(p, on, cutter, { fields });
  }
  const plane: Plane = { origin: [0, 0, 0], normal: [1, 2, 3] };
  await composedClip(p, surface, plane, on.center);
  await composedClip(p, welded, plane, on.center, { isWelded: true });
}

it("kernels read no farther than they declare", async () => {
  const watch = new Watch();
  const { primitives: p } = watch;
  await runAll(p, [9, 7, 8]);
  await runAll(p, [2, 6, 3]);
  await runAll(p, [6, 3, 2]);
  expect(watch.reads).toBeGreaterThan(10_000);
  expect(watch.beyond.slice(0, 5)).toEqual([]);
});

it("kernels make the same of a part with its ghosts as of the whole", async () => {
  const parting = new Parting();
  const { primitives: p } = parting;
  await runAll(p, [9, 7, 8]);
  await runAll(p, [6, 3, 2]);
  expect(parting.kernels.size).toBeGreaterThan(20);
  expect(parting.parts).toBeGreaterThan(100);
});
