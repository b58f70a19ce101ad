import type { Scale } from "../../core/scale.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { HistogramSummary } from "../../engine/api.ts";

/** A logarithmic axis is offered where positive values span more than this. */
const offeredRatio = 1000;
/** Values below 0 are rounding, or an overshoot, up to this fraction of the largest value. */
const undershoot = 1e-3;
/** The mean, as a fraction of the largest value, of values whose logarithms are spread evenly over so many decades. */
const spreadMean = 1 / Math.log(offeredRatio);

/**
 * Whether a field's positive values span more than three decades: by its smallest value, or, where that is not above 0 and
 * the smallest positive one is unknown, by how small the mean is.
 */
export function spansDecades({ min, mean, max }: Statistics): boolean {
  if (!(max > 0)) return false;
  return min > 0 ? max / min > offeredRatio : -min <= undershoot * max && mean < spreadMean * max;
}

/** The axis over a field's positive values; undefined without any, or while they are being counted. */
export function logAxis(positive: HistogramSummary | undefined): Scale | undefined {
  return positive && positive.max > positive.min
    ? { kind: "log", low: positive.min, high: positive.max }
    : undefined;
}
