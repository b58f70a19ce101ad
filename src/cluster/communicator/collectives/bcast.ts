import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import { agreeOn, checkRoot } from "./agreement.ts";
import { Outbox } from "./flight.ts";
import {
  dataOf,
  type Entry,
  entryOf,
  type Item,
  itemApart,
  itemHere,
  itemOf,
  pack,
  unpack,
} from "./parcel.ts";
import { scatterAllgather } from "./scatter-allgather.ts";
import { levelsOf, Subset } from "./subset.ts";
import { around, childrenOf, parentOf } from "./tree.ts";
import { afar, choose, nearby, packedBytes, type Tuning } from "./tuning.ts";

/** MPI_Bcast; only the root need know what. Its own data are what the root resolves to. */
export async function bcast<D extends Data>(
  exchange: Exchange,
  data: D | undefined,
  root: number,
  tuning: Tuning,
): Promise<D> {
  checkRoot(exchange, root, "bcast");
  agreeOn(exchange, { root });
  if (exchange.rank !== root) return dataOf(await spread(exchange, undefined, root, tuning));
  await spread(exchange, itemOf(0, data as D, "bcast"), root, tuning);
  return data as D;
}

/** Among leaders first, the root's being the root itself, then within groups. */
async function spread(
  exchange: Exchange,
  item: Item | undefined,
  root: number,
  tuning: Tuning,
): Promise<Item> {
  const given = item && [item];
  const levels = levelsOf(exchange, tuning, root);
  if (!levels) return (await spreadItems(exchange, given, root, tuning, 1))[0];
  const { leaders, leaderOf, group } = levels;
  const own = leaders[leaderOf[exchange.rank]];
  const ahead = new Subset(exchange, leaders, 1);
  const held =
    exchange.rank === own ? await spreadItems(ahead, given, leaderOf[root], afar(tuning), 1) : undefined;
  const behind = new Subset(exchange, group, 2);
  return (await spreadItems(behind, held, group.indexOf(own), nearby(tuning), 1))[0];
}

/**
 * The root's items on all ranks. A parcel goes down the binomial tree: ⌈log₂ p⌉ steps; items that are too long for it
 * follow the same way, or are scattered and gathered, as the root decides. There are `count` of them, of ranks 0 … count − 1.
 */
export async function spreadItems(
  exchange: Exchange,
  items: readonly Item[] | undefined,
  root: number,
  tuning: Tuning,
  count: number,
): Promise<readonly Item[]> {
  const { rank, size } = exchange;
  const { toNode, toRank } = around(root, size);
  const node = toNode(rank);
  const parent = toRank(parentOf(node));
  const children = childrenOf(node, size).map(toRank);
  const parcel = items
    ? pack(items.map((item) => routed(item, size, tuning)))
    : await exchange.receive(parent, 0);
  const outbox = new Outbox();
  for (const child of children) outbox.add(exchange.send(child, 0, parcel));

  const pass = async (bytes: Uint8Array | undefined, slot: number) => {
    const held = bytes ?? (await exchange.receive(parent, slot));
    for (const child of children) outbox.add(exchange.send(child, slot, held));
    return held;
  };
  const received: Item[] = [];
  for (const [k, entry] of unpack(parcel, count, count).entries()) {
    const slot = 1 + k * (size + 1);
    const given = items?.[k].bytes;
    if (entry.way === "here") received.push(itemHere(entry));
    else if (entry.way === "apart") received.push(itemApart(entry, await pass(given, slot)));
    else {
      const bytes = await scatterAllgather(exchange, given, entry.length, root, slot, outbox);
      received.push(itemApart(entry, bytes));
    }
  }
  await outbox.sent();
  return items ?? received;
}

function routed(item: Item, size: number, tuning: Tuning): Entry {
  const entry = entryOf(item, packedBytes(tuning));
  const algorithm = choose("bcast", size, entry.length, true, tuning);
  return entry.way === "apart" && algorithm === "scatterAllgather" ? { ...entry, way: "scattered" } : entry;
}
