/** Records of kernels, reductions and tallies in JavaScript, as the kernel layer makes it of their texts. */
import type { Kernel } from "../../core/primitives/kernel.ts";
import { add } from "../../core/primitives/operators.ts";
import type { Reduction, Tally } from "../../core/primitives/reduction.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { combination } from "../../kernel/element-functions.ts";
import type { KernelCall, RowPart } from "../../kernel/layout.ts";
import { kernelRun, reductionRun, tallyRun } from "../../kernel/records.ts";
import { newWords } from "./vector.ts";

/**
 * The results that a kernel is to write, a range of all of them, and what is at hand of its inputs: parts of vectors, which hold the
 * results' own elements where they are read as “own”, all that `reachesOf` says around the elements, and whole tables.
 */
export interface KernelPart extends Pick<KernelCall, "inputs" | "constants"> {
  readonly space: RowPart;
  /** The element that each result of the space is at; its own number where they are left out. */
  readonly at?: Uint32Array;
}

/** What a kernel writes, by its outputs' names: elements of the space alone, interleaved. Throws a KernelError. */
export function kernelWords(
  kernel: Kernel,
  { space, inputs, constants, at }: KernelPart,
): Record<string, HostArray> {
  const outputs: Record<string, HostArray> = {};
  for (const [name, { type, components = 1 }] of Object.entries(kernel.outputs)) {
    outputs[name] = newWords<ScalarType>(type, space.length * components);
  }
  kernelRun(kernel)({ space, inputs, outputs, constants, at: at && { elements: at } });
  return outputs;
}

/** Elements whose terms or bins are made at a time. */
const blockLength = 4096;

type Blocks = Omit<KernelPart, "at">;

/** Runs a program that writes `outputs`, a block of elements after the other. */
function eachBlock(
  run: (call: KernelCall) => void,
  { space, ...given }: Blocks,
  outputs: Readonly<Record<string, HostArray>>,
  take: (length: number) => void,
): void {
  for (let at = 0; at < space.length; at += blockLength) {
    const length = Math.min(blockLength, space.length - at);
    run({ ...given, space: { ...space, first: space.first + at, length }, outputs });
    take(length);
  }
}

/** Combines the terms of all elements with `totals`. Sums of f32 are not rounded to it. */
export function reduceTerms(reduction: Reduction, blocks: Blocks, totals: Record<string, number>): void {
  const terms = Object.entries(reduction.terms).map(([name, { type, operator }]) => ({
    name,
    words: newWords<ScalarType>(type, Math.min(blockLength, blocks.space.length)),
    combine:
      type === "f32" && operator === add ? (a: number, b: number) => a + b : combination(type, operator),
  }));
  const outputs = Object.fromEntries(terms.map(({ name, words }) => [name, words]));
  eachBlock(reductionRun(reduction), blocks, outputs, (length) => {
    for (const { name, words, combine } of terms) {
      let total = totals[name];
      for (let i = 0; i < length; i++) total = combine(total, words[i]);
      totals[name] = total;
    }
  });
}

/** Counts the bins of all elements. */
export function countBins(tally: Tally, blocks: Blocks, counts: Uint32Array): void {
  const bin = newWords("u32", Math.min(blockLength, blocks.space.length));
  eachBlock(tallyRun(tally), blocks, { bin }, (length) => {
    for (let i = 0; i < length; i++) if (bin[i] < counts.length) counts[bin[i]]++;
  });
}
