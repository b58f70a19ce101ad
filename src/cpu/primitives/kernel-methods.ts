import type { ForEachBackend } from "../../core/primitives/backend.ts";
import type { Signature } from "../../core/primitives/kernel.ts";
import { type InputBlock, wholeRow } from "../../kernel/layout.ts";
import type { CpuArguments, TextRunner } from "./each.ts";
import { countBins, kernelWords, reduceTerms } from "./kernels.ts";
import type { CpuVector, NewVector } from "./vector.ts";

type Given = CpuArguments & { readonly at?: CpuVector<"u32"> };

/** What runs kernels. */
export const cpuForEach = (newVector: NewVector): ForEachBackend => ({
  forEach(count, kernel, { at, ...given }: Given) {
    const part = { space: wholeRow(count), at: at?.words(), ...blocksOf(kernel, given) };
    const written = kernelWords(kernel, part);
    return Object.fromEntries(
      Object.entries(kernel.outputs).map(([name, { type, components }]) => [
        name,
        newVector(type, written[name], components),
      ]),
    );
  },
});

export const textRunner: TextRunner = {
  reduce(count, reduction, given, totals) {
    reduceTerms(reduction, { count, ...blocksOf(reduction, given) }, totals);
  },
  count(count, tally, given, counts) {
    countBins(tally, { count, ...blocksOf(tally, given) }, counts);
  },
};

/** Whole inputs. */
function blocksOf(signature: Signature, { inputs, constants }: CpuArguments) {
  const blocks = Object.keys(signature.inputs).map((name): [string, InputBlock] => [
    name,
    { words: inputs[name].words(), part: wholeRow(inputs[name].length) },
  ]);
  return { inputs: Object.fromEntries(blocks), constants };
}
