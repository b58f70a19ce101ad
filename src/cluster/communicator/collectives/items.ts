import type { Exchange } from "../exchange.ts";
import { entryOf, type Item, itemApart, itemHere, pack, unpack } from "./parcel.ts";

/** Sends one item: in a parcel, or longer than `limit` behind one, in `slot` and the next. */
export async function sendItem(
  exchange: Exchange,
  to: number,
  slot: number,
  item: Item,
  limit: number,
): Promise<void> {
  const entry = entryOf(item, limit);
  const parcel = exchange.send(to, slot, pack([entry]));
  await (entry.way === "apart" ? Promise.all([parcel, exchange.send(to, slot + 1, item.bytes)]) : parcel);
}

export async function receiveItem(exchange: Exchange, from: number, slot: number): Promise<Item> {
  const [entry] = unpack(await exchange.receive(from, slot), exchange.size, 1);
  return entry.way === "here" ? itemHere(entry) : itemApart(entry, await exchange.receive(from, slot + 1));
}
