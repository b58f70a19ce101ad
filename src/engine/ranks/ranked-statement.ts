import type { Centering } from "../../core/grid.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { Statistics } from "../../core/statistics.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { chooseStatement } from "../evaluate.ts";
import { evaluateOnRanks, type RankedRun, withoutMargin } from "./ranked-evaluation.ts";
import { type OwnPart, rankedStatistics } from "./ranked-values.ts";

export type RankedResult =
  | {
      readonly kind: "field";
      readonly components: number;
      readonly centering: Centering;
      /** Of the magnitude if there are several components. */
      readonly statistics: Statistics;
    }
  | { readonly kind: "quantity"; readonly quantity: Quantity };

/** What a statement's value is on all ranks. */
interface RankedStatement {
  readonly name: string;
  readonly result: RankedResult;
  /** If it is a field, this rank's part: its cells, or the nodes at their corners. */
  readonly part: OwnPart | undefined;
  readonly notes: readonly string[];
}

/** Evaluates the last statement of a text, or the one that is wanted. Throws what evaluation on one rank throws. */
export async function rankedStatement(
  run: RankedRun,
  text: string,
  wanted: string | null,
): Promise<RankedStatement> {
  const { data, communicator } = run;
  const network = await compileOnDemand(text, data.fields);
  const { output, name } = chooseStatement(network, wanted ?? undefined);
  const { fields, quantities } = await evaluateOnRanks(run, network, [output], 0);
  const part = fields.get(output);
  const { notes } = network;
  if (!part) {
    return { name, part, notes, result: { kind: "quantity", quantity: quantities.get(output) as Quantity } };
  }
  const { components, centering } = part.field;
  const statistics = await rankedStatistics(communicator, withoutMargin(data, part));
  return { name, part, notes, result: { kind: "field", components, centering, statistics } };
}
