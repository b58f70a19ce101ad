import type { HistogramSummary } from "../../../engine/api.ts";
import type { AsyncEngine } from "../../../engine/client.ts";

/**
 * Counts of a scalar's positive values in equal parts of their logarithms, from the smallest one to the largest; undefined if
 * there are none. Throws as the engine's `histogram`.
 */
export async function logHistogramOf(
  engine: Pick<AsyncEngine, "histogram">,
  field: string,
): Promise<HistogramSummary | undefined> {
  // Logarithms of 0 and less are not finite, and not counted.
  const { min, max, ...rest } = await engine.histogram(`log10(${field})`);
  return Number.isNaN(min) ? undefined : { ...rest, min: 10 ** min, max: 10 ** max };
}
