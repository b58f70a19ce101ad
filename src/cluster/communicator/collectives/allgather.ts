import { badMessage } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { bcastItems } from "./bcast.ts";
import { signCall } from "./call-signature.ts";
import { gatherItems } from "./gather.ts";
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
import { levelsOf, Subset } from "./subset.ts";
import { betweenGroups, inlineLimit, type Tuning, withinGroups } from "./tuning.ts";

/** MPI_Allgather and MPI_Allgatherv: every rank gets each rank's data, in memory of its own. */
export async function allgather<D extends Data>(
  exchange: Exchange,
  data: D,
  tuning: Tuning,
): Promise<readonly D[]> {
  signCall(exchange, {});
  const { rank } = exchange;
  const items = await allgatherByLevel(exchange, itemOf(rank, data, "allgather"), tuning);
  return items.map((item) => (item.rank === rank ? copyData(data) : dataOf<D>(item)));
}

async function allgatherByLevel(exchange: Exchange, own: Item, tuning: Tuning): Promise<readonly Item[]> {
  const { size } = exchange;
  const levels = levelsOf(exchange, tuning);
  if (!levels) return allgatherItems(exchange, [own], tuning, size, (rank) => rank);
  const group = new Subset(exchange, levels.group, 1);
  const collected = await gatherItems(group, own, 0, withinGroups(tuning));
  const held = collected?.map((item) => ({ ...item, rank: levels.group[item.rank] }));
  const leaders = new Subset(exchange, levels.leaders, 2);
  const all =
    held &&
    (await allgatherItems(leaders, held, betweenGroups(tuning), size, (rank) => levels.leaderOf[rank]));
  return bcastItems(new Subset(exchange, levels.group, 3), all, 0, withinGroups(tuning), size);
}

/**
 * Gives every rank all items, sorted by rank: ranks 0 … `ranks` − 1, whose holders `holderOf` names.
 * Packets double in ⌈log₂ p⌉ rounds for any number of ranks (Bruck et al. 1997); items too long for packets
 * travel around a ring, through p − 1 neighbours.
 */
async function allgatherItems(
  exchange: Exchange,
  own: readonly Item[],
  tuning: Tuning,
  ranks: number,
  holderOf: (rank: number) => number,
): Promise<readonly Item[]> {
  const { rank, size } = exchange;
  const limit = inlineLimit(tuning);
  /** Entries of this rank, of the next one, and so on. */
  const held: Entry[][] = [own.map((item) => entryOf(item, limit))];
  for (let d = 1, slot = 0; d < size; d *= 2, slot++) {
    const count = Math.min(d, size - d);
    const [packet] = await Promise.all([
      exchange.receive((rank + d) % size, slot),
      exchange.send((rank - d + size) % size, slot, pack(held.slice(0, count).flat())),
    ]);
    const arrived: Entry[][] = Array.from({ length: count }, () => []);
    for (const entry of unpack(packet, ranks)) {
      const place = ((holderOf(entry.rank) - rank + size) % size) - d;
      if (!(place >= 0 && place < count))
        throw badMessage("the allgather packet has items of ranks that the sender does not hold");
      arrived[place].push(entry);
    }
    held.push(...arrived);
  }
  const entries = held.flat().sort((a, b) => a.rank - b.rank);
  if (entries.length !== ranks || entries.some((entry, k) => entry.rank !== k)) {
    throw badMessage("the allgather packets do not hold one item for each rank");
  }
  const bytes = await ringAllgather(exchange, entries, own, holderOf);
  return entries.map((entry) =>
    entry.placement === "inline" ? inlineItem(entry) : separateItem(entry, bytes.get(entry.rank) ?? nothing),
  );
}

/**
 * The bytes of the separate items, by rank. Their slots are numbered by rank and follow those of the
 * rounds.
 */
async function ringAllgather(
  exchange: Exchange,
  entries: readonly Entry[],
  own: readonly Item[],
  holderOf: (rank: number) => number,
): Promise<Map<number, Uint8Array>> {
  const { rank, size } = exchange;
  const byHolder: number[][] = Array.from({ length: size }, () => []);
  for (const entry of entries)
    if (entry.placement !== "inline") byHolder[holderOf(entry.rank)].push(entry.rank);
  const bytes = new Map(own.map((item) => [item.rank, item.bytes]));
  const outbox = new Outbox();
  const slotOf = (of: number) => roundSlots + of;
  for (let step = 0; step < size - 1; step++) {
    for (const of of byHolder[(rank - step + size) % size]) {
      outbox.add(exchange.send((rank + 1) % size, slotOf(of), bytes.get(of) ?? nothing));
    }
    const coming = byHolder[(rank - step - 1 + size) % size];
    const received = await Promise.all(
      coming.map((of) => exchange.receive((rank + size - 1) % size, slotOf(of))),
    );
    for (const [k, of] of coming.entries()) bytes.set(of, received[k]);
  }
  await outbox.sent();
  return bytes;
}

/** More than the number of doubling rounds. */
const roundSlots = 64;
const nothing = new Uint8Array(0);
