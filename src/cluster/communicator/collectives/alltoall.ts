import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { checkParts, signCall } from "./call-signature.ts";
import { throttled } from "./in-flight.ts";
import { receiveItem, sendItem } from "./items.ts";
import { dataOf, itemOf } from "./packet.ts";
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
  signCall(exchange, {});
  const { rank, size } = exchange;
  const items = parts.map((part) => itemOf(rank, part, "alltoall"));
  const received: D[] = new Array(size);
  received[rank] = copyData(parts[rank]);

  const limit = packedBytes(tuning);
  const receive = async (from: number) => {
    received[from] = dataOf(await receiveItem(exchange, from, 0));
  };
  await throttled(size - 1, inFlight, async (k) => {
    const [to, from] = [(rank + k + 1) % size, (rank - k - 1 + size) % size];
    await Promise.all([receive(from), sendItem(exchange, to, 0, items[to], limit)]);
  });
  return received;
}
