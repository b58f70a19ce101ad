import { checkRoot, signatureOf } from "../../cluster/communicator/collectives/call-signature.ts";
import { ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { copyData, decodeData, encodeData } from "../../cluster/communicator/data.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import { maxInt } from "./library.ts";
import type { OpenedCalls } from "./opened-calls.ts";
import { type OpenedData, shortData } from "./opening.ts";
import { isTooLong, PackedData } from "./packed-data.ts";

/** MPI_Ibcast. The root's opening gives the others length and type. */
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
    return isRoot ? (data as D) : shortData<D>(opened.data[root]);
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

/** With a root MPI_Igatherv, else MPI_Iallgatherv. Resolves to undefined on ranks that receive nothing. */
export async function gather<D extends Data>(
  calls: OpenedCalls,
  operation: "gather" | "allgather" | "split",
  exchange: Exchange,
  data: D,
  root: number | undefined,
  tuning: Tuning,
): Promise<readonly D[] | undefined> {
  if (root !== undefined) checkRoot(exchange, root, operation);
  const own = encodeData(data, operation);
  const opened = await calls.open({ operation, signature: signatureOf({ root }), data: own });
  const isReceiver = root === undefined || calls.rank === root;
  const collect = (take: (part: OpenedData, rank: number) => D) =>
    isReceiver
      ? opened.data.map((part, rank) => (rank === calls.rank ? copyData(data) : take(part, rank)))
      : undefined;
  if (opened.data.every(({ bytes }) => bytes)) {
    opened.skip();
    return collect((part) => shortData<D>(part));
  }
  const lengths = opened.data.map(({ length }) => length);
  if (isTooLong(lengths, calls.size)) {
    opened.skip();
    if (root === undefined) return ownCollectives.allgather(exchange, data, tuning);
    return ownCollectives.gather(exchange, data, root, tuning);
  }
  const packed = new PackedData(isReceiver ? lengths : []);
  const { call, abi } = calls.library;
  const { byte } = abi;
  const from = [own.bytes, own.bytes.length, byte] as const;
  const into = packed.all(byte);
  if (root === undefined) {
    await opened.run("MPI_Iallgatherv", (on, request) => call.Iallgatherv(...from, ...into, on, request), [
      from,
      packed,
    ]);
  } else {
    await opened.run("MPI_Igatherv", (on, request) => call.Igatherv(...from, ...into, root, on, request), [
      from,
      packed,
    ]);
  }
  return collect(({ code }, rank) => packed.take<D>(rank, code));
}
