import { badMessage } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { checkRoot, signCall } from "./call-signature.ts";
import { Outbox } from "./in-flight.ts";
import { dataOf, entryOf, type Item, inlineItem, itemOf, pack, separateItem, unpack } from "./packet.ts";
import { childrenOf, parentOf, relativeTo } from "./tree.ts";
import { inlineLimit, type Tuning } from "./tuning.ts";

/** MPI_Gather and MPI_Gatherv: the root resolves to each rank's data, in memory of its own. */
export async function gather<D extends Data>(
  exchange: Exchange,
  data: D,
  root: number,
  tuning: Tuning,
): Promise<readonly D[] | undefined> {
  checkRoot(exchange, root, "gather");
  signCall(exchange, { root });
  const { rank } = exchange;
  const items = await gatherItems(exchange, itemOf(rank, data, "gather"), root, tuning);
  return items?.map((item) => (item.rank === rank ? copyData(data) : dataOf<D>(item)));
}

/**
 * Gathers every rank's item at the root, sorted by rank. Packets go up the binomial tree in ⌈log₂ p⌉ steps
 * and grow; items too long for packets go straight to the root, which learns of them from the packets.
 */
export async function gatherItems(
  exchange: Exchange,
  own: Item,
  root: number,
  tuning: Tuning,
): Promise<Item[] | undefined> {
  const { rank, size } = exchange;
  const { toNode, toRank } = relativeTo(root, size);
  const node = toNode(rank);
  const packets = await Promise.all(
    childrenOf(node, size).map((child) => exchange.receive(toRank(child), 0)),
  );
  const below = packets.flatMap((packet) => unpack(packet, size));
  if (node > 0) {
    const outbox = new Outbox();
    const entry = entryOf({ ...own, rank }, inlineLimit(tuning));
    outbox.add(exchange.send(toRank(parentOf(node)), 0, pack([entry, ...below])));
    if (entry.placement === "separate") outbox.add(exchange.send(root, 1, own.bytes));
    await outbox.sent();
    return undefined;
  }
  const items = await Promise.all(
    below.map(async (entry) =>
      entry.placement === "inline"
        ? inlineItem(entry)
        : separateItem(entry, await exchange.receive(entry.rank, 1)),
    ),
  );
  items.push({ ...own, rank });
  items.sort((a, b) => a.rank - b.rank);
  if (items.length !== size || items.some((item, k) => item.rank !== k)) {
    throw badMessage("the gather packets do not hold one item for each rank");
  }
  return items;
}
