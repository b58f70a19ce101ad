/** What the ranks of a room, or of a group that has what is open, compute in a page's stead: results and histograms. */

import { lostSentence } from "../../core/lost-sentence.ts";
import { costOverDevices } from "../../core/run-cost.ts";
import { namesRead, resultStatements } from "../../lang/expression/results.ts";
import type { ComputeSummary, HistogramSummary, RunRequest } from "../api.ts";
import { derivedSummary, quantitySummary } from "../derived.ts";
import { notKept, type Session } from "../session.ts";
import type { DescribedText } from "./rank-engine.ts";
import type { RankedResult } from "./ranked-results.ts";
import type { RankedStatistics } from "./statistics-job.ts";

/** Asks the ranks for the statistics of a text's results, in one job. */
export type AskRanks = (
  described: DescribedText,
  lost: (names: readonly string[]) => void,
) => Promise<RankedStatistics>;

interface Result extends RankedResult {
  readonly expression: string;
}

/** What the ranks have found of a text's results. */
export interface FoundByRanks {
  readonly text: string;
  readonly results: readonly Result[];
  /** How many ranks have computed them. */
  readonly ranks: number;
  /** How many kernels their GPUs have run. */
  readonly kernels: number;
  readonly notes: readonly string[];
  readonly ms: number;
}

/**
 * The ranks take the statistics of the results of a text, or tell the numbers that they are. Throws what compiling and ranks
 * throw.
 */
export async function resultsOnRanks(
  session: Session,
  text: string,
  described: DescribedText,
  ask: AskRanks,
): Promise<FoundByRanks> {
  const start = performance.now();
  const { results, steps } = resultStatements(text);
  const { notes } = await session.compile(text, { outputs: results.map(({ name }) => name) });
  const losses: string[] = [];
  const made = await ask(described, (names) => losses.push(lostSentence(names)));
  const found = made.results.map((result, k) => ({ ...result, expression: results[k].text }));
  const said = [...notes, ...losses, ...(steps.length > 0 ? [notKept(steps)] : [])];
  const { kernels } = costOverDevices(made.ranks);
  const ms = performance.now() - start;
  return { text, results: found, ranks: made.ranks.length, kernels, notes: said, ms };
}

/** Keeps what ranks have found: fields without values here, which the ranks compute anew for whatever shows them. */
export function keepResults(
  { derived: known }: Session,
  { text, results, ranks, kernels, notes, ms }: FoundByRanks,
  request: RunRequest,
): ComputeSummary {
  const recipe = known.recipeFor(text, request, namesRead(text));
  const derived = [];
  const quantities = [];
  for (const { name, expression, value: found } of results) {
    if (found.kind === "quantity") {
      const quantity = { name, recipe, expression, quantity: found.quantity };
      known.setQuantity(quantity);
      quantities.push(quantitySummary(quantity));
    } else {
      const { components, centering, statistics } = found;
      const field = { name, components, centering };
      const value = { kind: "ranks", field, ranks } as const;
      const one = { name, recipe, expression, value, statistics, ms };
      known.set(one);
      derived.push(derivedSummary(one));
    }
  }
  return { text, derived, quantities, notes, device: kernels > 0 ? "gpu" : "cpu", kernels, ranks, ms };
}

/** 64 counts over the range of a scalar, taken by the ranks. */
export async function histogramOnRanks(described: DescribedText, ask: AskRanks): Promise<HistogramSummary> {
  const { results, ranks } = await ask(described, () => {});
  const [{ value }] = results;
  if (value.kind !== "quantity" || value.quantity.kind !== "histogram")
    throw new TypeError("A histogram is one.");
  const { edges, counts } = value.quantity.histogram;
  return { min: edges[0], max: edges[edges.length - 1], counts, ranks: ranks.length };
}
