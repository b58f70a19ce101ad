import type { Summary } from "../../algorithms/statistics/statistics.ts";
import type { Centering } from "../../core/grid.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { Statistics } from "../../core/statistics.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import { resultStatements } from "../../lang/expression/results.ts";
import { chooseStatement } from "../evaluate.ts";
import { evaluateOnRanks, type RankedRun, withoutMargin } from "./ranked-evaluation.ts";
import { joinedStatistics, type OwnPart, partSummary } from "./ranked-values.ts";

export type RankedValue =
  | {
      readonly kind: "field";
      readonly components: number;
      readonly centering: Centering;
      /** Of the magnitude if there are several components. */
      readonly statistics: Statistics;
    }
  | { readonly kind: "quantity"; readonly quantity: Quantity };

/** What a statement's value is on all ranks. */
export interface RankedResult {
  readonly name: string;
  readonly value: RankedValue;
}

interface EvaluatedResults {
  readonly results: readonly RankedResult[];
  /** Of those that are fields this rank's parts, each with its result's name: its cells, or the nodes at their corners. */
  readonly parts: readonly OwnPart[];
  readonly notes: readonly string[];
}

/**
 * Evaluates statements of a text together, its results where none is wanted: ranks read once for all of them, and take the
 * statistics of all fields in one exchange. `check` gets the names of those that are fields, and of the others, before anything is
 * read. Throws what evaluation on one rank throws.
 */
export async function rankedResults(
  run: RankedRun,
  text: string,
  wanted: readonly string[] | null,
  check: (fields: readonly string[], others: readonly string[]) => void = () => {},
): Promise<EvaluatedResults> {
  const { data, communicator } = run;
  const network = await compileOnDemand(text, data.fields);
  const names = wanted ?? resultStatements(text).results.map(({ name }) => name);
  const chosen = names.map((name) => chooseStatement(network, name));
  const outputs = chosen.map(({ output }) => output);
  const isField = ({ output }: (typeof chosen)[number]) =>
    network.nodes[chosenOutputs(network, [output])[0].node].type.placement !== "constant";
  const namesOf = (those: typeof chosen) => those.map(({ name }) => name);
  check(namesOf(chosen.filter(isField)), namesOf(chosen.filter((each) => !isField(each))));
  const { fields, quantities } = await evaluateOnRanks(run, network, outputs, 0);
  const summaries: Summary[] = [];
  for (const part of fields.values()) summaries.push(await partSummary(withoutMargin(data, part)));
  const taken = await joinedStatistics(communicator, summaries);
  const statistics = new Map([...fields.keys()].map((output, k) => [output, taken[k]]));
  const results = chosen.map(({ output, name }): RankedResult => {
    const part = fields.get(output);
    if (!part) return { name, value: { kind: "quantity", quantity: quantities.get(output) as Quantity } };
    const { components, centering } = part.field;
    const found = statistics.get(output) as Statistics;
    return { name, value: { kind: "field", components, centering, statistics: found } };
  });
  const parts = chosen.flatMap(({ output, name }) => {
    const part = fields.get(output);
    return part ? [{ ...part, field: { ...part.field, name } }] : [];
  });
  return { results, parts, notes: network.notes };
}
