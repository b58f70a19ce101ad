import type { Exchange } from "../exchange.ts";
import type { Operand } from "./operand.ts";

/**
 * A power-of-two number of ranks, in rank order, that represent all ranks: in the first pairs of
 * neighbours, as many as there are extra ranks, one rank gives its operand to the other.
 */
export interface Folded {
  /** This rank's number among the representatives; undefined if it gave its operand away. */
  readonly rank: number | undefined;
  readonly size: number;
  /** The other rank of its pair, if it is in one. */
  readonly mate: number | undefined;
  toRank(folded: number): number;
  /** The folded number of the rank, or of the one that represents it. */
  numberOf(rank: number): number;
}

/**
 * Computes the folding without sending messages. If `kept` is in a pair, it represents that pair; otherwise
 * the lower rank does.
 */
export function foldingOf({ rank, size }: Exchange, kept = -1): Folded {
  const power = 2 ** Math.floor(Math.log2(size));
  const pairs = size - power;
  const keeperOf = (pair: number) => (kept === 2 * pair + 1 ? kept : 2 * pair);
  const numberOf = (of: number) => (of < 2 * pairs ? of >> 1 : of - pairs);
  const isPaired = rank < 2 * pairs;
  const stands = !isPaired || keeperOf(rank >> 1) === rank;
  return {
    rank: stands ? numberOf(rank) : undefined,
    size: power,
    mate: isPaired ? rank ^ 1 : undefined,
    toRank: (folded) => (folded < pairs ? keeperOf(folded) : folded + pairs),
    numberOf,
  };
}

/** Each extra rank sends its operand to its representative. */
export async function fold(
  exchange: Exchange,
  operand: Operand,
  { rank, mate }: Folded,
  slot: number,
): Promise<void> {
  if (mate === undefined) return;
  if (rank === undefined) {
    await operand.send(exchange, mate, slot);
    return;
  }
  await operand.receive(exchange, mate, slot);
  if (mate > exchange.rank) operand.joinHigher();
  else operand.joinLower();
}

/** Each extra rank receives the result. */
export async function unfold(
  exchange: Exchange,
  operand: Operand,
  { rank, mate }: Folded,
  slot: number,
): Promise<void> {
  if (mate === undefined) return;
  if (rank !== undefined) {
    await operand.send(exchange, mate, slot);
    return;
  }
  await operand.receive(exchange, mate, slot);
  operand.take();
}
