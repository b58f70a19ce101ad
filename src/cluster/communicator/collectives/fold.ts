import type { Exchange } from "../exchange.ts";
import type { Operand } from "./operand.ts";

/**
 * A power of two of ranks, in their order, that stand for all: of the first pairs of neighbours, as many as ranks are
 * over, one gives its operand to the other.
 */
export interface Folded {
  /** This rank's number among those that stand for all; undefined where it gave its operand away. */
  readonly rank: number | undefined;
  readonly size: number;
  /** The other of its pair, where it is of one. */
  readonly mate: number | undefined;
  toRank(folded: number): number;
  /** Of the rank, or of the one that stands for it. */
  numberOf(rank: number): number;
}

/** The folding itself: no messages. `kept`, where it is of a pair, stands for it; otherwise the lower one does. */
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

/** One message from each rank that is over. */
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

/** The result back to each rank that is over. */
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
