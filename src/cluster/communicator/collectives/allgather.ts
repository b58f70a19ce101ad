import { malformed } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { agreeOn } from "./agreement.ts";
import { spreadItems } from "./bcast.ts";
import { Outbox } from "./flight.ts";
import { collectItems } from "./gather.ts";
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
import { levelsOf, Subset } from "./subset.ts";
import { afar, nearby, packedBytes, type Tuning } from "./tuning.ts";

/** MPI_Allgather and MPI_Allgatherv: each rank's data on every rank, in memory of its own. */
export async function allgather<D extends Data>(
  exchange: Exchange,
  data: D,
  tuning: Tuning,
): Promise<readonly D[]> {
  agreeOn(exchange, {});
  const { rank } = exchange;
  const items = await shareAll(exchange, itemOf(rank, data, "allgather"), tuning);
  return items.map((item) => (item.rank === rank ? copyData(data) : dataOf<D>(item)));
}

async function shareAll(exchange: Exchange, own: Item, tuning: Tuning): Promise<readonly Item[]> {
  const { size } = exchange;
  const levels = levelsOf(exchange, tuning);
  if (!levels) return shareItems(exchange, [own], tuning, size, (rank) => rank);
  const group = new Subset(exchange, levels.group, 1);
  const collected = await collectItems(group, own, 0, nearby(tuning));
  const held = collected?.map((item) => ({ ...item, rank: levels.group[item.rank] }));
  const leaders = new Subset(exchange, levels.leaders, 2);
  const all = held && (await shareItems(leaders, held, afar(tuning), size, (rank) => levels.leaderOf[rank]));
  return spreadItems(new Subset(exchange, levels.group, 3), all, 0, nearby(tuning), size);
}

/**
 * Items that each rank holds, on all ranks, by the rank that each is of: those below `ranks`, whose holders `holderOf`
 * tells. Parcels double in ⌈log₂ p⌉ rounds, at any size (Bruck et al. 1997); items that are too long for them go around
 * a ring, by way of p − 1 neighbours.
 */
async function shareItems(
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
    const [parcel] = await Promise.all([
      exchange.receive((rank + d) % size, slot),
      exchange.send((rank - d + size) % size, slot, pack(held.slice(0, count).flat())),
    ]);
    const arrived: Entry[][] = Array.from({ length: count }, () => []);
    for (const entry of unpack(parcel, ranks)) {
      const place = ((holderOf(entry.rank) - rank + size) % size) - d;
      if (!(place >= 0 && place < count)) throw malformed("shares items of ranks that are not its own");
      arrived[place].push(entry);
    }
    held.push(...arrived);
  }
  const entries = held.flat().sort((a, b) => a.rank - b.rank);
  if (entries.length !== ranks || entries.some((entry, k) => entry.rank !== k)) {
    throw malformed("shares items of other ranks than take part");
  }
  const bytes = await goRound(exchange, entries, own, holderOf);
  return entries.map((entry) =>
    entry.way === "here" ? itemHere(entry) : itemApart(entry, bytes.get(entry.rank) ?? nothing),
  );
}

/** The bytes of the items that travel apart, by rank. Slots go by rank, after those of the rounds. */
async function goRound(
  exchange: Exchange,
  entries: readonly Entry[],
  own: readonly Item[],
  holderOf: (rank: number) => number,
): Promise<Map<number, Uint8Array>> {
  const { rank, size } = exchange;
  const byHolder: number[][] = Array.from({ length: size }, () => []);
  for (const entry of entries) if (entry.way !== "here") byHolder[holderOf(entry.rank)].push(entry.rank);
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
