import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import type { Reduction } from "../operators.ts";
import type { Operand } from "./operand.ts";
import { operandOf } from "./operand.ts";

/** MPI_Scan: rank i gets the reduction of ranks 0 … i. */
export async function scan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D> {
  const operand = operandOf(exchange, data, operator, "scan");
  await sweep(exchange, operand, () => {}, false);
  return operand.result() as D;
}

/** MPI_Exscan: the reduction of ranks 0 … i − 1; undefined on rank 0. */
export async function exscan<D extends Data>(
  exchange: Exchange,
  data: D,
  operator: Reduction<D>,
): Promise<D | undefined> {
  const operand: Operand = operandOf(exchange, data, operator, "exscan");
  let before: Data | undefined;
  await sweep(
    exchange,
    operand,
    () => {
      before = operand.before(before);
    },
    true,
  );
  return before as D | undefined;
}

/**
 * Recursive doubling (Hillis & Steele 1986): in step k each rank sends the reduction of the last 2ᵏ ranks
 * to the rank 2ᵏ further on, in ⌈log₂ p⌉ steps. Calls `received` after each step that receives something.
 * With `forOthers`, only other ranks need this rank's result, so the last joins are skipped.
 */
async function sweep(
  exchange: Exchange,
  operand: Operand,
  received: () => void,
  forOthers: boolean,
): Promise<void> {
  const { rank, size } = exchange;
  for (let d = 1, slot = 0; d < size; d *= 2, slot++) {
    await Promise.all([
      rank + d < size ? operand.send(exchange, rank + d, slot) : undefined,
      rank >= d ? operand.receive(exchange, rank - d, slot) : undefined,
    ]);
    if (rank < d) continue;
    received();
    if (!forOthers || rank + 2 * d < size) operand.joinLower();
  }
}
