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
import { betweenGroups, packedBytes, type Tuning, withinGroups } from "./tuning.ts";

/** MPI_Allgather and MPI_Allgatherv: each rank's data on every rank, in memory of its own. */
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
 * Items that each rank holds, on all ranks, by the rank that each is of: those below `ranks`, whose holders `holderOf`
 * tells. Packets double in ⌈log₂ p⌉ rounds, at any size (Bruck et al. 1997); items that are too long for them go around
 * a ring, by way of p − 1 neighbours.
 */
async function allgatherItems(
  exchange: Exchange,
  own: readonly Item[],
  tuning: Tuning,
  ranks: number,
  holderOf: (rank: number) => number,
): Promise<readonly Item[]> {
  const { rank, size } = exchange;
  const limit = packedBytes(tuning);
  /** Entries of this rank, of the one after it, … */
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
      if (!(place >= 0 && place < count)) throw badMessage("shares items of ranks that are not its own");
      arrived[place].push(entry);
    }
    held.push(...arrived);
  }
  const entries = held.flat().sort((a, b) => a.rank - b.rank);
  if (entries.length !== ranks || entries.some((entry, k) => entry.rank !== k)) {
    throw badMessage("shares items of other ranks than take part");
  }
  const bytes = await ringAllgather(exchange, entries, own, holderOf);
  return entries.map((entry) =>
    entry.placement === "inline" ? inlineItem(entry) : separateItem(entry, bytes.get(entry.rank) ?? nothing),
  );
}

/** The bytes of the items that travel apart, by rank. Slots go by rank, after those of the rounds. */
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

/** More than there are rounds of doubling. */
const roundSlots = 64;
const nothing = new Uint8Array(0);
