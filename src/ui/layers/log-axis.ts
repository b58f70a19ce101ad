import type { Scale } from "../../core/scale.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { HistogramSummary } from "../../engine/api.ts";

/** A logarithmic axis is offered where positive values span more than this. */
const offeredRatio = 1000;
/** Values below 0 are rounding, or an overshoot, up to this fraction of the largest value. */
const undershoot = 1e-3;
/** Where values reach 0, they crowd there if the mean is below this fraction of the largest one. */
const crowdedMean = 0.05;

/**
 * Whether a field's positive values span more than three decades: by its smallest value, or, where that is not above 0, by
 * how they crowd at 0, as densities do.
 */
export function spansDecades({ min, mean, max }: Statistics): boolean {
  if (!(max > 0)) return false;
  return min > 0 ? max / min > offeredRatio : -min <= undershoot * max && mean < crowdedMean * max;
}

/** The axis over a field's positive values; undefined without any, or while they are being counted. */
export function logAxis(positive: HistogramSummary | undefined): Scale | undefined {
  return positive && positive.max > positive.min
    ? { kind: "log", low: positive.min, high: positive.max }
    : undefined;
}
