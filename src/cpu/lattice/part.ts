import { type ElementRange, unrolled } from "../../core/lattice/layers.ts";
import {
  arrayNamed,
  type LatticeArray,
  type LatticeArrays,
  type LatticePlan,
  type Numbers,
  type Pass,
} from "../../core/lattice/model.ts";
import type { LatticePart, PassConstants } from "../../core/lattice/part.ts";
import type { KernelArray, ResultLayout, RowPart } from "../../kernel/layout.ts";
import { fieldOf } from "./field.ts";
import { inputsOf, kernelsOf, zeros } from "./kernels.ts";

/** Elements whose sums are taken at a time: they stay in the cache. */
const chunk = 1 << 14;

/** Some tens of milliseconds. */
const elementsAtATime = 1 << 18;

/** A part on the CPU, which computes at once, in this thread. */
export interface HostPart extends LatticePart {
  readonly arrays: LatticeArrays;
  /** Sums over elements, at once. */
  sumsOf(elements: ElementRange, constants: PassConstants): Numbers;
}

/** Some elements of a plan's arrays on the CPU: all where `held` are all. */
export function createHostPart(plan: LatticePlan, held: ElementRange): HostPart {
  const { length } = plan;
  const isWhole = held.first === 0 && held.count === length;
  const arrays = Object.fromEntries(
    Object.entries(plan.arrays).map(([name, type]) => [name, zeros(type, held.count)]),
  );
  const part: RowPart = {
    kind: "row",
    whole: length,
    first: held.first,
    length: held.count,
    ...(isWhole ? {} : { isRing: true }),
  };
  const placeOf = (element: number) => (element - held.first + length) % length;
  const kernels = kernelsOf(plan);
  const { writes: summed, step: sumsStep = 0 } = plan.sums;
  const partSums = Object.fromEntries(
    summed.map((name) => [name, zeros(plan.sumType, Math.min(chunk, held.count))]),
  );
  const sumsOf = (elements: ElementRange, given: PassConstants): Numbers => {
    const inputs = inputsOf(plan.sums, arrays, part);
    const constants = { ...given, step: sumsStep };
    const totals = Object.fromEntries(summed.map((name) => [name, 0]));
    for (const { first, count } of unrolled(elements, length)) {
      for (let at = first; at < first + count; at += chunk) {
        const size = Math.min(chunk, first + count - at);
        const space = { kind: "row", whole: length, first: at, length: size } as const;
        kernels.sums({ space, inputs, outputs: partSums, constants });
        for (const name of summed) totals[name] += sumOf(partSums[name], size);
      }
    }
    return totals;
  };
  let taken: Numbers[] = [];
  /** The words of a piece where they are. */
  const wordsAt = ({ array, first, count }: ElementRange & { readonly array: string }) => {
    const { buffer } = arrays[array];
    return new Uint32Array(buffer, 4 * placeOf(first), count);
  };
  return {
    held,
    arrays,
    maxSums: Number.POSITIVE_INFINITY,
    elementsAtATime,
    sumsOf,
    change(pass, elements, constants) {
      const run = kernels.of(pass);
      const inputs = inputsOf(pass, arrays, part);
      const outputs = Object.fromEntries(
        pass.writes.map((name): [string, KernelArray] => [name, arrays[arrayNamed(pass, name)]]),
      );
      for (const { first, count } of unrolled(elements, length)) {
        const layouts = isWhole && first === 0 ? undefined : layoutsOf(pass, placeOf(first));
        run({
          space: { kind: "row", whole: length, first, length: count },
          inputs,
          outputs,
          ...(layouts && { layouts }),
          constants: { ...constants, step: pass.step ?? 0 },
        });
      }
    },
    sum(elements, constants) {
      taken.push(sumsOf(elements, constants));
    },
    async takeSums() {
      const sums = taken;
      taken = [];
      return sums;
    },
    async read(pieces) {
      const words = new Uint32Array(pieces.reduce((sum, { count }) => sum + count, 0));
      let at = 0;
      for (const piece of pieces) {
        words.set(wordsAt(piece), at);
        at += piece.count;
      }
      return words;
    },
    write(pieces, words) {
      let at = 0;
      for (const piece of pieces) {
        wordsAt(piece).set(words.subarray(at, at + piece.count));
        at += piece.count;
      }
    },
    async field(name, sites) {
      return fieldOf(plan, arrays, name, { part, sites });
    },
    dispose() {},
  };
}

function sumOf(words: LatticeArray, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += words[i];
  return sum;
}

const layoutsOf = ({ writes }: Pass, lead: number): Record<string, ResultLayout> =>
  Object.fromEntries(writes.map((name) => [name, { lead, stride: 1, componentStride: 1 }]));
