import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import type { Reduction } from "../operators.ts";
import { ArrayOperand, like } from "./array-operand.ts";
import { gatherBlocks, reduceScatterBlocks } from "./blocks.ts";
import { checkRoot } from "./call-signature.ts";
import { fold, foldingOf } from "./fold.ts";
import { type Operand, operandOf } from "./operand.ts";
import { evenBounds } from "./tree.ts";
import { chooseAlgorithm, type Tuning } from "./tuning.ts";

/** MPI_Reduce. The result has the same bits whichever rank is the root; it is undefined elsewhere. */
export async function reduce<D extends Data>(
  exchange: Exchange,
  data: D,
  operator: Reduction<D>,
  root: number,
  tuning: Tuning,
): Promise<D | undefined> {
  checkRoot(exchange, root, "reduce");
  const operand = operandOf(exchange, data, operator, "reduce", root);
  const { isCommutative, group } = operator;
  if (
    operand instanceof ArrayOperand &&
    chooseAlgorithm("reduce", exchange.size, operand.value.byteLength, isCommutative, tuning) === "halving"
  ) {
    await reduceByHalving(exchange, operand, isCommutative, group, root);
  } else await reduceToRoot(exchange, operand, root);
  return exchange.rank === root ? (operand.result() as D) : undefined;
}

/**
 * Merges neighbouring ranges of 1, 2, 4, … ranks in ⌈log₂ p⌉ rounds: a binomial tree whose shape depends on
 * the number of ranks alone. The root always keeps its range, so the result ends there.
 */
export async function reduceToRoot(exchange: Exchange, operand: Operand, root: number): Promise<void> {
  const { rank, size } = exchange;
  const keeperOf = (first: number, length: number) => (root >= first && root < first + length ? root : first);
  for (let d = 1, slot = 0; d < size; d *= 2, slot++) {
    const first = rank - (rank % (2 * d));
    if (first + d >= size) continue;
    const [lower, higher] = [keeperOf(first, d), keeperOf(first + d, d)];
    const keeper = keeperOf(first, 2 * d) === higher ? higher : lower;
    if (rank !== keeper) {
      await operand.send(exchange, keeper, slot);
      return;
    }
    await operand.receive(exchange, keeper === lower ? higher : lower, slot);
    if (keeper === lower) operand.joinHigher();
    else operand.joinLower();
  }
}

/** For long arrays: reduce-scatter, then gather (blocks.ts). */
async function reduceByHalving(
  exchange: Exchange,
  operand: ArrayOperand,
  isCommutative: boolean,
  group: number,
  root: number,
): Promise<void> {
  const folded = foldingOf(exchange, root);
  await fold(exchange, operand, folded, 0);
  if (folded.rank === undefined) return;
  const { value, combine } = operand;
  const out = like(value, value.length);
  const blocks = { exchange, folded, bounds: evenBounds(value.length, folded.size, group), slot: 1 };
  await reduceScatterBlocks(blocks, value, out, { isCommutative, combine });
  await gatherBlocks(blocks, out, folded.numberOf(root));
  operand.replace(out);
}
