/** Data that a group of ranks beside the room has: what the page does with them asks the group. */
import { arrayOf } from "../../core/dtype.ts";
import type { DataSet } from "../../core/field.ts";
import type { JobContext } from "../../core/job.ts";
import { namesRead, resultStatements } from "../../lang/expression/results.ts";
import type { ComputeSummary, HistogramSummary, RunRequest } from "../api.ts";
import { derivedSummary, quantitySummary } from "../derived.ts";
import { LoadedData } from "../loaded-data.ts";
import { notKept, type Session } from "../session.ts";
import type { GroupSource } from "./data-source.ts";
import type { PageRanks } from "./page-ranks.ts";
import type { DescribedText } from "./rank-engine.ts";

type Group = Pick<PageRanks, "describe" | "statistics">;

/** What a group has, as data of the session: the grid, the fields without their values, and their statistics. */
export async function groupData(
  session: Session,
  group: Group,
  source: GroupSource,
  job: JobContext,
): Promise<LoadedData> {
  const { name, grid, fields, statistics } = await group.describe(source, job);
  const dataSet: DataSet = {
    name,
    grid,
    fields: fields.map((field) => ({ ...field, data: new (arrayOf(field.dtype))(0) })),
    notes: [],
  };
  const known = new Map(fields.map((field, k) => [field.name, statistics[k]]));
  return new LoadedData(dataSet, session.device.gpu, known);
}

/**
 * The same as `Session.compute` on the group's ranks: they take the statistics of each result, and compute its values anew
 * for whatever shows them.
 */
export async function computeOnGroup(
  session: Session,
  group: Group,
  { source, text: whole }: DescribedText,
  text: string,
  request: RunRequest,
  job: JobContext,
): Promise<ComputeSummary> {
  const start = performance.now();
  const { results, steps } = resultStatements(text);
  const names = results.map(({ name }) => name);
  const { notes } = await session.compile(text, { outputs: names });
  const found = [];
  for (const result of results) {
    const began = performance.now();
    const made = await group.statistics(source as GroupSource, whole, result.name, job);
    found.push({ ...result, made, ms: performance.now() - began });
  }
  const recipe = session.derived.recipeFor(text, request, namesRead(text));
  const derived = [];
  const quantities = [];
  for (const { name, text: expression, made, ms } of found) {
    const { result } = made;
    if (result.kind === "quantity") {
      const quantity = { name, recipe, expression, quantity: result.quantity };
      session.derived.setQuantity(quantity);
      quantities.push(quantitySummary(quantity));
    } else {
      const { components, centering, statistics } = result;
      const field = { name, components, centering, dtype: "f32", data: new Float32Array(0) } as const;
      const one = { name, recipe, expression, value: { kind: "host", field } as const, statistics, ms };
      session.derived.set(one);
      derived.push(derivedSummary(one));
    }
  }
  const ranks = found.at(-1)?.made.ranks.length ?? 0;
  return {
    derived,
    quantities,
    notes: steps.length > 0 ? [...notes, notKept(steps)] : notes,
    device: "cpu",
    kernels: 0,
    ranks,
    ms: performance.now() - start,
  };
}

/** 64 counts over the range of a scalar. */
export async function histogramOnGroup(
  group: Group,
  { source, text }: DescribedText,
  job: JobContext,
): Promise<HistogramSummary> {
  const { result } = await group.statistics(source as GroupSource, text, null, job);
  if (result.kind !== "quantity" || result.quantity.kind !== "histogram")
    throw new TypeError("A histogram is one.");
  const { edges, counts } = result.quantity.histogram;
  return { min: edges[0], max: edges[edges.length - 1], counts };
}
