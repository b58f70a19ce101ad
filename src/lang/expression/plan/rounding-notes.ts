import type { DataSet } from "../../../core/field.ts";
import { exceedsF64 } from "../../../core/levels.ts";
import type { Network } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { chosenOutputs } from "./outputs.ts";
import { inputsOf } from "./stages.ts";

/** A sentence for each field that the outputs read and whose integers double precision rounds. */
export function roundingNotes(
  { fields }: Pick<DataSet, "fields">,
  network: Network,
  outputs: readonly string[],
): string[] {
  const roots = chosenOutputs(network, outputs).map(({ node }) => node);
  const read = inputsFirst(roots, (id) => inputsOf(network.nodes[id])).map((id) => network.nodes[id]);
  return fields
    .filter(({ name }) => read.some((node) => node.kind === "source" && node.field === name))
    .filter(exceedsF64)
    .map(
      ({ name }) =>
        `“${name}” has integers beyond 2⁵³, of which double precision keeps the first 15 to 16 digits.`,
    );
}
