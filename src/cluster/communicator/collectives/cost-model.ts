/**
 * Milliseconds as a function of bytes: one or more points in ascending order of bytes, interpolated
 * linearly; the last segment is extrapolated.
 */
export type Curve = readonly (readonly [bytes: number, ms: number])[];

/** Measured message times between some ranks, always those of the slowest rank. */
export interface CostModel {
  /** Ranks that sent at once for `together`. */
  readonly ranks: number;
  /** One message with no other in flight. */
  readonly alone: Curve;
  /**
   * Each rank sends one message and receives one: ranks that fraction a machine or a wire slow each other
   * down.
   */
  readonly together: Curve;
  /** Milliseconds per byte to combine operands. */
  readonly combining: number;
}

/**
 * Milliseconds of a step with `atOnce` messages in flight whose receivers combine `combined` bytes each:
 * interpolates between `alone` and `together` by the fraction of ranks that send. Where messages slow each
 * other down, ranks fraction processors, so combining slows down too.
 */
export function stepMs(
  { ranks, alone, together, combining }: CostModel,
  atOnce: number,
  bytes: number,
  combined: number,
): number {
  const fraction = ranks > 1 ? Math.min((atOnce - 1) / (ranks - 1), 1) : 0;
  const contended = msAt(together, bytes);
  const lone = Math.min(msAt(alone, bytes), contended);
  const slowing = 1 + fraction * (contended / lone - 1);
  return slowing * lone + Math.min(slowing, atOnce) * combining * combined;
}

function msAt(curve: Curve, bytes: number): number {
  const above = curve.findIndex(([at]) => at > bytes);
  const last = curve.length - 1;
  const k = above < 0 ? last : Math.min(Math.max(above, 1), last);
  const [toBytes, toMs] = curve[k];
  if (k === 0) return toMs;
  const [fromBytes, fromMs] = curve[k - 1];
  return fromMs + ((bytes - fromBytes) * (toMs - fromMs)) / (toBytes - fromBytes);
}
