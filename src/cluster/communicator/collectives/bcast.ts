import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import { checkRoot, signCall } from "./call-signature.ts";
import { Outbox } from "./in-flight.ts";
import {
  dataOf,
  type Entry,
  entryOf,
  type Item,
  inlineItem,
  itemOf,
  pack,
  separateItem,
  unpack,
} from "./packet.ts";
import { scatterAllgather } from "./scatter-allgather.ts";
import { levelsOf, Subset } from "./subset.ts";
import { childrenOf, parentOf, relativeTo } from "./tree.ts";
import { betweenGroups, chooseAlgorithm, inlineLimit, type Tuning, withinGroups } from "./tuning.ts";

/**
 * MPI_Bcast; only the root needs to know type and length. On the root it resolves to the data it was given.
 */
export async function bcast<D extends Data>(
  exchange: Exchange,
  data: D | undefined,
  root: number,
  tuning: Tuning,
): Promise<D> {
  checkRoot(exchange, root, "bcast");
  signCall(exchange, { root });
  if (exchange.rank !== root) return dataOf(await bcastItem(exchange, undefined, root, tuning));
  await bcastItem(exchange, itemOf(0, data as D, "bcast"), root, tuning);
  return data as D;
}

/** Among the leaders first, where the root leads its own group, then within groups. */
async function bcastItem(
  exchange: Exchange,
  item: Item | undefined,
  root: number,
  tuning: Tuning,
): Promise<Item> {
  const given = item && [item];
  const levels = levelsOf(exchange, tuning, root);
  if (!levels) return (await bcastItems(exchange, given, root, tuning, 1))[0];
  const { leaders, leaderOf, group } = levels;
  const own = leaders[leaderOf[exchange.rank]];
  const ahead = new Subset(exchange, leaders, 1);
  const held =
    exchange.rank === own
      ? await bcastItems(ahead, given, leaderOf[root], betweenGroups(tuning), 1)
      : undefined;
  const behind = new Subset(exchange, group, 2);
  return (await bcastItems(behind, held, group.indexOf(own), withinGroups(tuning), 1))[0];
}

/**
 * Broadcasts the root's `count` items, of ranks 0 … count − 1. A packet goes down the binomial tree in
 * ⌈log₂ p⌉ steps; items too long for it follow the same way or are scattered and allgathered, as the root
 * decides.
 */
export async function bcastItems(
  exchange: Exchange,
  items: readonly Item[] | undefined,
  root: number,
  tuning: Tuning,
  count: number,
): Promise<readonly Item[]> {
  const { rank, size } = exchange;
  const { toNode, toRank } = relativeTo(root, size);
  const node = toNode(rank);
  const parent = toRank(parentOf(node));
  const children = childrenOf(node, size).map(toRank);
  const packet = items
    ? pack(items.map((item) => routed(item, size, tuning)))
    : await exchange.receive(parent, 0);
  const outbox = new Outbox();
  for (const child of children) outbox.add(exchange.send(child, 0, packet));

  const pass = async (bytes: Uint8Array | undefined, slot: number) => {
    const held = bytes ?? (await exchange.receive(parent, slot));
    for (const child of children) outbox.add(exchange.send(child, slot, held));
    return held;
  };
  const received: Item[] = [];
  for (const [k, entry] of unpack(packet, count, count).entries()) {
    const slot = 1 + k * (size + 1);
    const given = items?.[k].bytes;
    if (entry.placement === "inline") received.push(inlineItem(entry));
    else if (entry.placement === "separate") received.push(separateItem(entry, await pass(given, slot)));
    else {
      const bytes = await scatterAllgather(exchange, given, entry.length, root, slot, outbox);
      received.push(separateItem(entry, bytes));
    }
  }
  await outbox.sent();
  return items ?? received;
}

function routed(item: Item, size: number, tuning: Tuning): Entry {
  const entry = entryOf(item, inlineLimit(tuning));
  const algorithm = chooseAlgorithm("bcast", size, entry.length, true, tuning);
  return entry.placement === "separate" && algorithm === "scatterAllgather"
    ? { ...entry, placement: "chunked" }
    : entry;
}
