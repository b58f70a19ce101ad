/** Milliseconds by bytes: at least one point, of ascending bytes, straight lines between them and on from the last two. */
export type Curve = readonly (readonly [bytes: number, ms: number])[];

/** What messages between some ranks were measured to take, the slowest rank's times. */
export interface CostModel {
  /** Ranks that sent at once for `together`. */
  readonly ranks: number;
  /** One message, while no other is under way. */
  readonly alone: Curve;
  /** Each rank sends one and receives one: on a machine that they share, or a wire, one holds up the other. */
  readonly together: Curve;
  /** Milliseconds a byte that a rank combines. */
  readonly combining: number;
}

/**
 * Milliseconds of a step in which `atOnce` messages are under way, and their receivers combine so many bytes: between alone
 * and together by the share of ranks that send. Where messages slow each other down, processors are shared, and combining
 * is slowed down too.
 */
export function stepMs(
  { ranks, alone, together, combining }: CostModel,
  atOnce: number,
  bytes: number,
  combined: number,
): number {
  const share = ranks > 1 ? Math.min((atOnce - 1) / (ranks - 1), 1) : 0;
  const crowded = msAt(together, bytes);
  const lone = Math.min(msAt(alone, bytes), crowded);
  const slowing = 1 + share * (crowded / lone - 1);
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
