import { fieldNamed } from "../core/field.ts";
import type { JobContext } from "../core/job.ts";
import type { Statistics } from "../core/statistics.ts";
import { fieldValues } from "../gpu/primitives/field-values.ts";
import { withPrimitives } from "../gpu/primitives/with-primitives.ts";
import { quoteName } from "../lang/expression/syntax/quoting.ts";
import type { HistogramSummary } from "./api.ts";
import type { FieldValue } from "./derived.ts";
import { countsOf } from "./host-statistics.ts";
import { nodeScalar } from "./node-scalar.ts";
import type { Session } from "./session.ts";

const bins = 64;

/**
 * Counts over the finite range of a field of the session, or of an expression's scalar on the nodes. Loaded fields
 * are counted where they are, in host memory: looking at a file sends nothing to the GPU.
 */
export async function histogramOf(
  session: Session,
  expression: string,
  job: JobContext,
): Promise<HistogramSummary> {
  const named = session
    .signatures()
    .find(({ name, values }) => !values && (name === expression || quoteName(name) === expression));
  if (named) {
    await session.bringHere([named.name], job);
    const derived = session.derived.get(named.name)?.value;
    const loaded = () => session.data.value(fieldNamed(session.data.dataSet, named.name)!);
    return counts(session, (derived as FieldValue | undefined) ?? loaded(), session.statisticsOf(named.name));
  }
  const scalar = await nodeScalar(session, expression, job);
  try {
    return await counts(session, scalar.value, scalar.statistics);
  } finally {
    scalar.release();
  }
}

async function counts(
  session: Session,
  value: FieldValue,
  statistics: Statistics,
): Promise<HistogramSummary> {
  const { min, max } = statistics;
  if (!Number.isFinite(min)) return { min, max, counts: [] };
  if (min === max) return { min, max, counts: [statistics.count - statistics.nan - statistics.infinite] };
  const { gpu } = session.device;
  const { histogram } = await import("../algorithms/statistics/histogram.ts");
  const tallied =
    value.kind === "gpu" && gpu
      ? await withPrimitives(gpu, (primitives) =>
          histogram(fieldValues(primitives, value.field), [min, max], bins),
        )
      : await countsOf((await session.download(value)).data, value.field.components, [min, max], bins);
  return { min, max, counts: [...tallied] };
}
