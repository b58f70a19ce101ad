import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { checkParts, signCall } from "./call-signature.ts";
import { throttled } from "./in-flight.ts";
import { receiveItem, sendItem } from "./items.ts";
import { dataOf, itemOf } from "./packet.ts";
import { inlineLimit, type Tuning } from "./tuning.ts";

/** Message pairs in flight: enough to hide latency, few enough not to split bandwidth and memory too far. */
const inFlight = 4;

/**
 * MPI_Alltoall and MPI_Alltoallv: sends part i to rank i and returns what each rank sent. Pairwise: in step
 * k, sends to the k-th rank after this one and receives from the k-th before it.
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

  const limit = inlineLimit(tuning);
  const receive = async (from: number) => {
    received[from] = dataOf(await receiveItem(exchange, from, 0));
  };
  await throttled(size - 1, inFlight, async (k) => {
    const [to, from] = [(rank + k + 1) % size, (rank - k - 1 + size) % size];
    await Promise.all([receive(from), sendItem(exchange, to, 0, items[to], limit)]);
  });
  return received;
}
