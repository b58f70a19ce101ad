import type { Exchange } from "../exchange.ts";
import { entryOf, type Item, inlineItem, pack, separateItem, unpack } from "./packet.ts";

/**
 * Sends one item: in a packet, or, if it is longer than `limit`, behind one. Uses `slot` and the next one.
 */
export async function sendItem(
  exchange: Exchange,
  to: number,
  slot: number,
  item: Item,
  limit: number,
): Promise<void> {
  const entry = entryOf(item, limit);
  const packet = exchange.send(to, slot, pack([entry]));
  await (entry.placement === "separate"
    ? Promise.all([packet, exchange.send(to, slot + 1, item.bytes)])
    : packet);
}

export async function receiveItem(exchange: Exchange, from: number, slot: number): Promise<Item> {
  const [entry] = unpack(await exchange.receive(from, slot), exchange.size, 1);
  return entry.placement === "inline"
    ? inlineItem(entry)
    : separateItem(entry, await exchange.receive(from, slot + 1));
}
