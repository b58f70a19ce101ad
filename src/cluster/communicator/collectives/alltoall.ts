import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { agreeOn, checkParts } from "./agreement.ts";
import { throttled } from "./flight.ts";
import { dataOf, entryOf, itemApart, itemHere, itemOf, pack, unpack } from "./parcel.ts";
import { packedBytes, type Tuning } from "./tuning.ts";

/** Pairs of messages under way at a time: enough to hide latency, few enough that rates and memory are not shared out. */
const inFlight = 4;

/**
 * MPI_Alltoall and MPI_Alltoallv: part i to rank i, and what came from each. Pairwise: in step k to the k-th rank after
 * this one, from the k-th before.
 */
export async function alltoall<D extends Data>(
  exchange: Exchange,
  parts: readonly D[],
  tuning: Tuning,
): Promise<readonly D[]> {
  checkParts(exchange, parts, "alltoall");
  agreeOn(exchange, {});
  const { rank, size } = exchange;
  const items = parts.map((part) => itemOf(rank, part, "alltoall"));
  const received: D[] = new Array(size);
  received[rank] = copyData(parts[rank]);

  const send = async (to: number) => {
    const entry = entryOf(items[to], packedBytes(tuning));
    const sends = [exchange.send(to, 0, pack([entry]))];
    if (entry.way === "apart") sends.push(exchange.send(to, 1, items[to].bytes));
    await Promise.all(sends);
  };
  const receive = async (from: number) => {
    const [entry] = unpack(await exchange.receive(from, 0), size, 1);
    const item = entry.way === "here" ? itemHere(entry) : itemApart(entry, await exchange.receive(from, 1));
    received[from] = dataOf(item);
  };
  await throttled(size - 1, inFlight, async (k) => {
    await Promise.all([receive((rank - k - 1 + size) % size), send((rank + k + 1) % size)]);
  });
  return received;
}
