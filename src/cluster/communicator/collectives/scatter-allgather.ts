import type { Exchange } from "../exchange.ts";
import type { Outbox } from "./in-flight.ts";
import { childrenOf, endOf, evenBounds, parentOf, relativeTo } from "./tree.ts";

/**
 * Broadcasts a long message from the root: one part for each rank down the binomial tree, then the parts
 * around a ring (van de Geijn 1994), except those that a rank has from the tree. The tree uses `slot`, the
 * parts use the slots after it.
 */
export async function scatterAllgather(
  exchange: Exchange,
  given: Uint8Array | undefined,
  length: number,
  root: number,
  slot: number,
  outbox: Outbox,
): Promise<Uint8Array> {
  const { rank, size } = exchange;
  const { toNode, toRank } = relativeTo(root, size);
  const node = toNode(rank);
  const all = given ?? new Uint8Array(length);
  const bounds = evenBounds(Math.ceil(length / 8) * 8, size, 8);
  const parts = (from: number, to: number) => all.subarray(bounds[from], bounds[to]);
  /** Whether a node has a part from the tree; both sides of a message evaluate this. */
  const has = (other: number, part: number) => part >= other && part < endOf(other, size);

  const own = parts(node, endOf(node, size));
  if (node > 0 && own.length > 0) await exchange.receiveInto(toRank(parentOf(node)), slot, own);
  for (const child of childrenOf(node, size)) {
    const part = parts(child, endOf(child, size));
    if (part.length > 0) outbox.add(exchange.send(toRank(child), slot, part));
  }

  const right = (node + 1) % size;
  const left = (node + size - 1) % size;
  for (let step = 0; step < size - 1; step++) {
    const leaving = (node - step + size) % size;
    const coming = (node - step - 1 + size) % size;
    const [sent, received] = [parts(leaving, leaving + 1), parts(coming, coming + 1)];
    if (sent.length > 0 && !has(right, leaving)) {
      outbox.add(exchange.send(toRank(right), slot + 1 + leaving, sent));
    }
    if (received.length > 0 && !has(node, coming)) {
      await exchange.receiveInto(toRank(left), slot + 1 + coming, received);
    }
  }
  return all;
}
