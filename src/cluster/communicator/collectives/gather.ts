import { malformed } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { agreeOn, checkRoot } from "./agreement.ts";
import { Outbox } from "./flight.ts";
import { dataOf, entryOf, type Item, itemApart, itemHere, itemOf, pack, unpack } from "./parcel.ts";
import { around, childrenOf, parentOf } from "./tree.ts";
import { packedBytes, type Tuning } from "./tuning.ts";

/** MPI_Gather and MPI_Gatherv: the root resolves to each rank's data, in memory of its own. */
export async function gather<D extends Data>(
  exchange: Exchange,
  data: D,
  root: number,
  tuning: Tuning,
): Promise<readonly D[] | undefined> {
  checkRoot(exchange, root, "gather");
  agreeOn(exchange, { root });
  const { rank } = exchange;
  const items = await collectItems(exchange, itemOf(rank, data, "gather"), root, tuning);
  return items?.map((item) => (item.rank === rank ? copyData(data) : dataOf<D>(item)));
}

/**
 * Every rank's item at the root, by rank. Parcels go up the binomial tree, ⌈log₂ p⌉ steps, and grow; items that are too
 * long for them go straight to the root, which learns of them from the parcels.
 */
export async function collectItems(
  exchange: Exchange,
  own: Item,
  root: number,
  tuning: Tuning,
): Promise<Item[] | undefined> {
  const { rank, size } = exchange;
  const { toNode, toRank } = around(root, size);
  const node = toNode(rank);
  const parcels = await Promise.all(
    childrenOf(node, size).map((child) => exchange.receive(toRank(child), 0)),
  );
  const below = parcels.flatMap((parcel) => unpack(parcel, size));
  if (node > 0) {
    const outbox = new Outbox();
    const entry = entryOf({ ...own, rank }, packedBytes(tuning));
    outbox.add(exchange.send(toRank(parentOf(node)), 0, pack([entry, ...below])));
    if (entry.way === "apart") outbox.add(exchange.send(root, 1, own.bytes));
    await outbox.sent();
    return undefined;
  }
  const items = await Promise.all(
    below.map(async (entry) =>
      entry.way === "here" ? itemHere(entry) : itemApart(entry, await exchange.receive(entry.rank, 1)),
    ),
  );
  items.push({ ...own, rank });
  items.sort((a, b) => a.rank - b.rank);
  if (items.length !== size || items.some((item, k) => item.rank !== k)) {
    throw malformed("gathers items of other ranks than take part");
  }
  return items;
}
