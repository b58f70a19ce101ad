import type { Inputs, Kernel, KernelArguments, Slots, VectorsOf } from "../../core/primitives/kernel.ts";
import type { Reduction, Tally } from "../../core/primitives/reduction.ts";
import { type InputBlock, wholeRow } from "../../kernel/layout.ts";
import { CpuEach, type ReadArguments } from "./each.ts";
import { countBins, kernelWords, reduceTerms } from "./kernels.ts";

/** What runs functions that say what they read. */
export class CpuKernels extends CpuEach {
  forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>>;
  async forEach(
    count: number,
    kernel: Kernel,
    given: KernelArguments<Inputs, Slots>,
  ): Promise<VectorsOf<Slots>> {
    const what = `forEach (“${kernel.name}”)`;
    const read = this.readInputs(what, count, kernel, given);
    const outputs = Object.entries(kernel.outputs);
    for (const [, { components }] of outputs) this.checkRoom(what, count, components);
    const at = given.at && this.read(what, "at", given.at).words();
    const written = kernelWords(kernel, { space: wholeRow(count), at, ...blocksOf(read) });
    return Object.fromEntries(
      outputs.map(([name, { type, components }]) => [name, this.own(type, written[name], components)]),
    );
  }

  protected override reduceByText(
    count: number,
    reduction: Reduction,
    read: ReadArguments,
    totals: Record<string, number>,
  ): void {
    reduceTerms(reduction, { count, ...blocksOf(read) }, totals);
  }

  protected override countByText(
    count: number,
    tally: Tally,
    read: ReadArguments,
    counts: Uint32Array,
  ): void {
    countBins(tally, { count, ...blocksOf(read) }, counts);
  }
}

/** Whole inputs. */
function blocksOf({ inputs, constants }: ReadArguments) {
  const blocks = Object.entries(inputs).map(([name, vector]): [string, InputBlock] => [
    name,
    { words: vector.words(), part: wholeRow(vector.length) },
  ]);
  return { inputs: Object.fromEntries(blocks), constants };
}
