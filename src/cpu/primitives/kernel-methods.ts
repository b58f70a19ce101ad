import type { ForEachBackend } from "../../core/primitives/backend.ts";
import type { RowShare, Signature } from "../../core/primitives/kernel.ts";
import type { InputBlock, RowPart } from "../../kernel/layout.ts";
import type { CpuArguments, TextRunner } from "./each.ts";
import { countBins, kernelWords, reduceTerms } from "./kernels.ts";
import type { CpuVector, NewVector } from "./vector.ts";

type Given = CpuArguments & { readonly at?: CpuVector<"u32"> };

/** What runs kernels. */
export const cpuForEach = (newVector: NewVector): ForEachBackend => ({
  forEach(count, kernel, { at, ...given }: Given) {
    const written = kernelWords(kernel, { at: at?.words(), ...blocksOf(count, kernel, given) });
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
    reduceTerms(reduction, blocksOf(count, reduction, given), totals);
  },
  count(count, tally, given, counts) {
    countBins(tally, blocksOf(count, tally, given), counts);
  },
};

function blocksOf(count: number, signature: Signature, { inputs, constants, share }: CpuArguments) {
  const { first, origins }: RowShare = share ?? { first: 0 };
  const blocks = Object.entries(signature.inputs).map(([name, { access }]): [string, InputBlock] => {
    const { length } = inputs[name];
    const origin = access.kind === "own" ? first : (origins?.[name] ?? 0);
    return [name, { words: inputs[name].words(), part: rowPart(origin, length) }];
  });
  return { space: rowPart(first, count), inputs: Object.fromEntries(blocks), constants };
}

const rowPart = (first: number, length: number): RowPart => ({
  kind: "row",
  whole: first + length,
  first,
  length,
});
