import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import type { Reduction } from "../operators.ts";
import type { Operand } from "./operand.ts";
import { operandOf } from "./operand.ts";

/** MPI_Scan: rank i has the reduction of ranks 0 … i. */
export async function scan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D> {
  const operand = operandOf(exchange, data, operator, "scan");
  await sweep(exchange, operand, () => {}, false);
  return operand.result() as D;
}

/** MPI_Exscan: of ranks 0 … i − 1; undefined on rank 0. */
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
 * Recursive doubling (Hillis & Steele 1986): in step k each rank sends the reduction of the last 2ᵏ ranks to the one 2ᵏ
 * on: ⌈log₂ p⌉ steps. `received` is called after each that brings something. Where `forOthers` the own result is of use
 * to others only, and the last joins are spared.
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
