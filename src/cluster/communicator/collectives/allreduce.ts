import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import type { Reduction } from "../operators.ts";
import { ArrayOperand, like } from "./array-operand.ts";
import { allgatherBlocks, reduceScatterBlocks } from "./blocks.ts";
import { fold, foldingOf, unfold } from "./fold.ts";
import { type Operand, operandOf } from "./operand.ts";
import { reduceToRoot } from "./reduce.ts";
import { ringAllreduce } from "./ring.ts";
import { levelsOf, Subset } from "./subset.ts";
import { childrenOf, evenBounds, parentOf } from "./tree.ts";
import { betweenGroups, chooseAlgorithm, type Tuning } from "./tuning.ts";

/**
 * MPI_Allreduce: all ranks get the same bits. Works in two levels if ranks are grouped and either the
 * operator is commutative or each group's ranks are contiguous.
 */
export async function allreduce<D extends Data>(
  exchange: Exchange,
  data: D,
  operator: Reduction<D>,
  tuning: Tuning,
): Promise<D> {
  const operand = operandOf(exchange, data, operator, "allreduce");
  const levels = levelsOf(exchange, tuning);
  if (!levels || !(operator.isCommutative || levels.isContiguous)) {
    await reduceForAll(exchange, operand, operator, tuning);
  } else {
    const group = new Subset(exchange, levels.group, 1);
    await reduceToRoot(group, operand, 0);
    if (group.rank === 0) {
      await reduceForAll(new Subset(exchange, levels.leaders, 2), operand, operator, betweenGroups(tuning));
    }
    await bcastResult(new Subset(exchange, levels.group, 3), operand);
  }
  return operand.result() as D;
}

async function reduceForAll(
  exchange: Exchange,
  operand: Operand,
  { isCommutative, group }: Pick<Reduction, "isCommutative" | "group">,
  tuning: Tuning,
): Promise<void> {
  if (!(operand instanceof ArrayOperand)) return doubling(exchange, operand);
  const { value, combine } = operand;
  const algorithm = chooseAlgorithm("allreduce", exchange.size, value.byteLength, isCommutative, tuning);
  if (algorithm === "doubling") return doubling(exchange, operand);
  if (algorithm === "halving") return halving(exchange, operand, isCommutative, group);
  const out = like(value, value.length);
  await ringAllreduce(exchange, value, out, combine, group);
  operand.replace(out);
}

/** Recursive doubling, for short operands: both partners reduce the same two operands in the same order. */
async function doubling(exchange: Exchange, operand: Operand): Promise<void> {
  const folded = foldingOf(exchange);
  await fold(exchange, operand, folded, 0);
  const { rank, size, toRank } = folded;
  if (rank !== undefined) {
    for (let d = 1, slot = 1; d < size; d *= 2, slot++) {
      const partner = toRank(rank ^ d);
      await Promise.all([operand.send(exchange, partner, slot), operand.receive(exchange, partner, slot)]);
      if (partner > exchange.rank) operand.joinHigher();
      else operand.joinLower();
    }
  }
  await unfold(exchange, operand, folded, unfoldSlot);
}

/** For long arrays: reduce-scatter, then allgather (blocks.ts). */
async function halving(
  exchange: Exchange,
  operand: ArrayOperand,
  isCommutative: boolean,
  group: number,
): Promise<void> {
  const folded = foldingOf(exchange);
  await fold(exchange, operand, folded, 0);
  if (folded.rank !== undefined) {
    const { value, combine } = operand;
    const out = like(value, value.length);
    const blocks = { exchange, folded, bounds: evenBounds(value.length, folded.size, group), slot: 1 };
    await reduceScatterBlocks(blocks, value, out, { isCommutative, combine });
    await allgatherBlocks(blocks, out);
    operand.replace(out);
  }
  await unfold(exchange, operand, folded, unfoldSlot);
}

/** Later than all other slots. */
const unfoldSlot = 128;

/** Broadcasts rank 0's result down the binomial tree. */
async function bcastResult(exchange: Exchange, operand: Operand): Promise<void> {
  const { rank, size } = exchange;
  if (rank > 0) {
    await operand.receive(exchange, parentOf(rank), 0);
    operand.take();
  }
  await Promise.all(childrenOf(rank, size).map((child) => operand.send(exchange, child, 0)));
}
