import { checkRoot, signatureOf } from "../../cluster/communicator/collectives/call-signature.ts";
import { ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { copyData, decodeData, encodeData } from "../../cluster/communicator/data.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import { maxInt } from "./library.ts";
import type { OpenedCalls } from "./opened-calls.ts";
import type { OpenedData } from "./opening.ts";

/** MPI_Ibcast. The root's opening tells the others length and type. */
export async function bcast<D extends Data>(
  calls: OpenedCalls,
  exchange: Exchange,
  data: D | undefined,
  root: number,
  tuning: Tuning,
): Promise<D> {
  checkRoot(exchange, root, "bcast");
  const isRoot = exchange.rank === root;
  const own = isRoot ? encodeData(data as D, "bcast") : undefined;
  const signature = signatureOf({ root });
  const opened = await calls.open({ operation: "bcast", signature, data: own });
  const { code, length, bytes: short } = opened.data[root];
  if (short || length > maxInt) {
    opened.skip();
    if (!short) return ownCollectives.bcast(exchange, data, root, tuning);
    return isRoot ? (data as D) : (decodeData({ code, bytes: short.slice() }) as D);
  }
  const { call, abi } = calls.library;
  const bytes = own?.bytes ?? new Uint8Array(length);
  await opened.run(
    "MPI_Ibcast",
    (on, request) => call.Ibcast(bytes, length, abi.byte, root, on, request),
    bytes,
  );
  return isRoot ? (data as D) : (decodeData({ code, bytes }) as D);
}

/** MPI_Iallgatherv. */
export async function allgather<D extends Data>(
  calls: OpenedCalls,
  operation: "allgather" | "split",
  exchange: Exchange,
  data: D,
  tuning: Tuning,
): Promise<readonly D[]> {
  const own = encodeData(data, operation);
  const opened = await calls.open({ operation, signature: 0, data: own });
  const partOf = (rank: number, { code }: OpenedData, bytes: Uint8Array) =>
    rank === exchange.rank ? copyData(data) : (decodeData({ code, bytes: bytes.slice() }) as D);
  if (opened.data.every(({ bytes }) => bytes)) {
    opened.skip();
    return opened.data.map((part, rank) => partOf(rank, part, part.bytes as Uint8Array));
  }
  const total = opened.data.reduce((sum, { length }) => sum + length, 0);
  if (total > maxInt) {
    opened.skip();
    return ownCollectives.allgather(exchange, data, tuning);
  }
  const { call, abi } = calls.library;
  const lengths = Int32Array.from(opened.data, ({ length }) => length);
  const starts = new Int32Array(lengths.length);
  for (let k = 1; k < starts.length; k++) starts[k] = starts[k - 1] + lengths[k - 1];
  const all = new Uint8Array(total);
  const { bytes } = own;
  await opened.run(
    "MPI_Iallgatherv",
    (on, request) =>
      call.Iallgatherv(bytes, bytes.length, abi.byte, all, lengths, starts, abi.byte, on, request),
    [bytes, all, lengths, starts],
  );
  return opened.data.map((part, rank) =>
    partOf(rank, part, all.subarray(starts[rank], starts[rank] + lengths[rank])),
  );
}
