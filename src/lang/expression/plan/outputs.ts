import { CrinkleError } from "../../../core/errors.ts";
import type { Network, NetworkOutput } from "../network/network.ts";

/** The network's outputs of these names, in this order. Throws UnknownName. */
export function chosenOutputs(network: Network, names: readonly string[]): NetworkOutput[] {
  return names.map((name) => {
    const output = network.outputs.findLast((candidate) => candidate.name === name);
    if (!output) {
      throw new CrinkleError({
        tag: "UnknownName",
        problem: `The expression computes no “${name}”.`,
        remedy: `It computes ${network.outputs.map((o) => `“${o.name}”`).join(", ")}.`,
      });
    }
    return output;
  });
}
