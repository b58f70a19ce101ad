import { malformed } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { agreeOn, checkParts, checkRoot } from "./agreement.ts";
import { Outbox } from "./flight.ts";
import { dataOf, type Entry, entryOf, itemApart, itemHere, itemOf, pack, unpack } from "./parcel.ts";
import { around, childrenOf, endOf, parentOf } from "./tree.ts";
import { packedBytes, type Tuning } from "./tuning.ts";

/**
 * MPI_Scatter and MPI_Scatterv: part i of the root's to rank i. Parcels go down the binomial tree, ⌈log₂ p⌉ steps, and
 * shrink; parts that are too long for them go straight to their ranks.
 */
export async function scatter<D extends Data>(
  exchange: Exchange,
  parts: readonly D[] | undefined,
  root: number,
  tuning: Tuning,
): Promise<D> {
  checkRoot(exchange, root, "scatter");
  agreeOn(exchange, { root });
  const { rank, size } = exchange;
  const { toNode, toRank } = around(root, size);
  const node = toNode(rank);
  const outbox = new Outbox();
  const passOn = (entries: readonly Entry[]) => {
    for (const child of childrenOf(node, size)) {
      const isBelow = ({ rank }: Entry) => toNode(rank) >= child && toNode(rank) < endOf(child, size);
      outbox.add(exchange.send(toRank(child), 0, pack(entries.filter(isBelow))));
    }
  };

  if (rank === root) {
    checkParts(exchange, parts, "scatter");
    const items = parts.map((part, other) => itemOf(other, part as D, "scatter"));
    const entries = items.map((item) => entryOf(item, packedBytes(tuning)));
    passOn(entries);
    for (const { rank: other, way } of entries) {
      if (way === "apart" && other !== root) outbox.add(exchange.send(other, 1, items[other].bytes));
    }
    await outbox.sent();
    return copyData(parts[root] as D);
  }
  const entries = unpack(await exchange.receive(toRank(parentOf(node)), 0), size);
  passOn(entries);
  const own = entries.find((entry) => entry.rank === rank);
  if (!own) throw malformed(`scatters nothing to rank ${rank}`);
  const item = own.way === "here" ? itemHere(own) : itemApart(own, await exchange.receive(root, 1));
  await outbox.sent();
  return dataOf(item);
}
