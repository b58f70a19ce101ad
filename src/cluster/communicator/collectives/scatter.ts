import { badMessage } from "../../wire/frame.ts";
import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { checkParts, checkRoot, signCall } from "./call-signature.ts";
import { Outbox } from "./in-flight.ts";
import { dataOf, type Entry, entryOf, inlineItem, itemOf, pack, separateItem, unpack } from "./packet.ts";
import { childrenOf, endOf, parentOf, relativeTo } from "./tree.ts";
import { inlineLimit, type Tuning } from "./tuning.ts";

/**
 * MPI_Scatter and MPI_Scatterv: sends the root's part i to rank i. Packets go down the binomial tree in
 * ⌈log₂ p⌉ steps and shrink; parts too long for packets go straight to their ranks.
 */
export async function scatter<D extends Data>(
  exchange: Exchange,
  parts: readonly D[] | undefined,
  root: number,
  tuning: Tuning,
): Promise<D> {
  checkRoot(exchange, root, "scatter");
  signCall(exchange, { root });
  const { rank, size } = exchange;
  const { toNode, toRank } = relativeTo(root, size);
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
    const entries = items.map((item) => entryOf(item, inlineLimit(tuning)));
    passOn(entries);
    for (const { rank: other, placement } of entries) {
      if (placement === "separate" && other !== root) outbox.add(exchange.send(other, 1, items[other].bytes));
    }
    await outbox.sent();
    return copyData(parts[root] as D);
  }
  const entries = unpack(await exchange.receive(toRank(parentOf(node)), 0), size);
  passOn(entries);
  const own = entries.find((entry) => entry.rank === rank);
  if (!own) throw badMessage(`the scatter packet has no item for rank ${rank}`);
  const item =
    own.placement === "inline" ? inlineItem(own) : separateItem(own, await exchange.receive(root, 1));
  await outbox.sent();
  return dataOf(item);
}
