import type { Exchange } from "../exchange.ts";
import { signCall } from "./call-signature.ts";
import { levelsOf, Subset } from "./subset.ts";
import { childrenOf, parentOf } from "./tree.ts";
import type { Tuning } from "./tuning.ts";

const nothing = new Uint8Array(0);

/** MPI_Barrier. */
export async function barrier(exchange: Exchange, tuning: Tuning): Promise<void> {
  signCall(exchange, {});
  const levels = levelsOf(exchange, tuning);
  if (!levels) return disseminate(exchange);
  const group = new Subset(exchange, levels.group, 1);
  await gatherArrivals(group);
  if (group.rank === 0) await disseminate(new Subset(exchange, levels.leaders, 2));
  await release(group);
}

/**
 * Dissemination in rounds of doubling distance, for any number of ranks (Hensgen, Finkel & Manber 1988):
 * ⌈log₂ p⌉ messages per rank.
 */
async function disseminate(exchange: Exchange): Promise<void> {
  const { rank, size } = exchange;
  for (let d = 1, slot = 0; d < size; d *= 2, slot++) {
    await Promise.all([
      exchange.send((rank + d) % size, slot, nothing),
      exchange.receive((rank - d + size) % size, slot),
    ]);
  }
}

/** Up the binomial tree: rank 0 learns that all ranks have arrived. */
async function gatherArrivals(exchange: Exchange): Promise<void> {
  const { rank, size } = exchange;
  await Promise.all(childrenOf(rank, size).map((child) => exchange.receive(child, 0)));
  if (rank > 0) await exchange.send(parentOf(rank), 0, nothing);
}

/** Back down the tree. */
async function release(exchange: Exchange): Promise<void> {
  const { rank, size } = exchange;
  if (rank > 0) await exchange.receive(parentOf(rank), 1);
  await Promise.all(childrenOf(rank, size).map((child) => exchange.send(child, 1, nothing)));
}

/** Exchanges one message with every rank, behind all earlier ones: nothing more arrives after it. */
export async function flushAll(exchange: Exchange): Promise<void> {
  const { rank, size } = exchange;
  signCall(exchange, {});
  const others = Array.from({ length: size - 1 }, (_, k) => (rank + k + 1) % size);
  await Promise.all([
    ...others.map((other) => exchange.send(other, 0, nothing)),
    ...others.map((other) => exchange.receive(other, 0)),
  ]);
}
