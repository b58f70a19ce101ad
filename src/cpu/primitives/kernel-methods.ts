import { checkBins, checkKernel, checkReduction } from "../../core/primitives/checks.ts";
import type {
  Inputs,
  Kernel,
  KernelArguments,
  Signature,
  Slots,
  VectorsOf,
} from "../../core/primitives/kernel.ts";
import type { Reduction, Tally, Terms, Totals } from "../../core/primitives/reduction.ts";
import type { ScalarType, Vector } from "../../core/primitives/vector.ts";
import { elementsOf, kernelWords } from "./kernels.ts";
import { newWords } from "./vector.ts";
import { CpuVectors } from "./vectors.ts";

type Given = KernelArguments<Inputs, Slots>;

/** What runs functions that say what they read. */
export class CpuKernels extends CpuVectors {
  forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>>;
  async forEach(
    count: number,
    kernel: Kernel,
    { inputs, constants, at }: KernelArguments<Inputs, Slots>,
  ): Promise<VectorsOf<Slots>> {
    const what = `forEach (“${kernel.name}”)`;
    const given = Object.keys(kernel.inputs).map(
      (name) => [name, this.read(what, name, inputs[name])] as const,
    );
    const places = at && this.read(what, "at", at);
    checkKernel(what, count, kernel, { inputs, constants, at });
    for (const { components } of Object.values(kernel.outputs)) this.checkRoom(what, count, components);
    const read = Object.fromEntries(given.map(([name, vector]) => [name, vector.words()]));
    const written = kernelWords(count, kernel, { inputs: read, constants, at: places?.words() });
    return Object.fromEntries(
      written.map(({ name, type, components, words }) => [name, this.own(type, words, components)]),
    );
  }

  reduceEach<I extends Inputs, T extends Terms, C extends Slots>(
    count: number,
    reduction: Reduction<I, T, C>,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Totals<T>>;
  async reduceEach(count: number, reduction: Reduction, given: Given): Promise<Totals<Terms>> {
    const what = `reduceEach (“${reduction.name}”)`;
    checkReduction(what, reduction);
    const bound = this.#bound(what, count, reduction, given);
    const terms = Object.entries(reduction.terms);
    const totals = Object.fromEntries(
      terms.map(([name, { type, operator }]) => [name, operator.identity(type)]),
    );
    reduction.js(bound, 0, count, totals);
    for (const [name, { type }] of terms) totals[name] = element(type, totals[name]);
    return totals;
  }

  countEach<I extends Inputs, C extends Slots>(
    count: number,
    tally: Tally<I, C>,
    bins: number,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Vector<"u32">>;
  async countEach(count: number, tally: Tally, bins: number, given: Given): Promise<Vector<"u32">> {
    const what = `countEach (“${tally.name}”)`;
    checkBins(what, bins);
    this.checkRoom(what, bins);
    const bound = this.#bound(what, count, tally, given);
    const counts = newWords("u32", bins);
    tally.js(bound, 0, count, counts);
    return this.own("u32", counts);
  }

  /** What a loop reads. */
  #bound(what: string, count: number, signature: Signature, { inputs, constants }: Given) {
    const given = Object.keys(signature.inputs).map(
      (name) => [name, this.read(what, name, inputs[name])] as const,
    );
    checkKernel(what, count, signature, { inputs, constants });
    return {
      inputs: Object.fromEntries(given.map(([name, vector]) => [name, vector.wide?.() ?? vector.words()])),
      constants: elementsOf(signature, constants),
    };
  }
}

/** Integers wrap; numbers keep the digits that they have. */
const element = (type: ScalarType, x: number): number =>
  type === "f32" ? x : type === "u32" ? x >>> 0 : x | 0;
