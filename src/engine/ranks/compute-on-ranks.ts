/** What the ranks of a room, or of a group that has what is open, compute in a page's stead: results and histograms. */

import { lostSentence } from "../../core/lost-sentence.ts";
import { namesRead, resultStatements } from "../../lang/expression/results.ts";
import type { ComputeSummary, HistogramSummary, RunRequest } from "../api.ts";
import { derivedSummary, quantitySummary } from "../derived.ts";
import { notKept, type Session } from "../session.ts";
import type { DescribedText } from "./rank-engine.ts";
import type { RankedStatistics } from "./statistics-job.ts";

/** Asks the ranks for the statistics of a statement of a text, the last one by default. */
export type AskRanks = (
  described: DescribedText,
  wanted: string | null,
  lost: (names: readonly string[]) => void,
) => Promise<RankedStatistics>;

interface Result {
  readonly name: string;
  readonly expression: string;
  readonly made: RankedStatistics;
  readonly ms: number;
}

/** What the ranks have found of a text's results. */
export interface RankedResults {
  readonly text: string;
  readonly results: readonly Result[];
  readonly notes: readonly string[];
  readonly ms: number;
}

/** The ranks take the statistics of each result of a text, or tell the number that it is. Throws what compiling and ranks throw. */
export async function resultsOnRanks(
  session: Session,
  text: string,
  described: DescribedText,
  ask: AskRanks,
): Promise<RankedResults> {
  const start = performance.now();
  const { results, steps } = resultStatements(text);
  const { notes } = await session.compile(text, { outputs: results.map(({ name }) => name) });
  const found: Result[] = [];
  const losses: string[] = [];
  for (const { name, text: expression } of results) {
    const began = performance.now();
    const made = await ask(described, name, (names) => losses.push(lostSentence(names)));
    found.push({ name, expression, made, ms: performance.now() - began });
  }
  const said = [...notes, ...losses, ...(steps.length > 0 ? [notKept(steps)] : [])];
  return { text, results: found, notes: said, ms: performance.now() - start };
}

/** Keeps what ranks have found: fields without values here, which the ranks compute anew for whatever shows them. */
export function keepResults(
  { derived: known }: Session,
  { text, results, notes, ms }: RankedResults,
  request: RunRequest,
): ComputeSummary {
  const recipe = known.recipeFor(text, request, namesRead(text));
  const derived = [];
  const quantities = [];
  for (const { name, expression, made, ms } of results) {
    const { result, ranks } = made;
    if (result.kind === "quantity") {
      const quantity = { name, recipe, expression, quantity: result.quantity };
      known.setQuantity(quantity);
      quantities.push(quantitySummary(quantity));
    } else {
      const { components, centering, statistics } = result;
      const field = { name, components, centering };
      const value = { kind: "ranks", field, ranks: ranks.length } as const;
      const one = { name, recipe, expression, value, statistics, ms };
      known.set(one);
      derived.push(derivedSummary(one));
    }
  }
  const ranks = results.at(-1)?.made.ranks.length ?? 0;
  return { derived, quantities, notes, device: "cpu", kernels: 0, ranks, ms };
}

/** 64 counts over the range of a scalar, taken by the ranks. */
export async function histogramOnRanks(described: DescribedText, ask: AskRanks): Promise<HistogramSummary> {
  const { result, ranks } = await ask(described, null, () => {});
  if (result.kind !== "quantity" || result.quantity.kind !== "histogram")
    throw new TypeError("A histogram is one.");
  const { edges, counts } = result.quantity.histogram;
  return { min: edges[0], max: edges[edges.length - 1], counts, ranks: ranks.length };
}
