import { checkParts, checkRoot, signatureOf } from "../../cluster/communicator/collectives/call-signature.ts";
import { ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { copyData, decodeData, type Encoded, encodeData } from "../../cluster/communicator/data.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import type { OpenedCalls } from "./opened-calls.ts";
import {
  decodeOpenings,
  encodeOpening,
  maxOpeningData,
  type OpenedData,
  openingBytes,
  shortData,
} from "./opening.ts";
import { isTooLong, PackedData, sumOf } from "./packed-data.ts";

/** MPI_Iscatterv, after the root has sent each rank the description of what it gets. */
export async function scatter<D extends Data>(
  calls: OpenedCalls,
  exchange: Exchange,
  parts: readonly D[] | undefined,
  root: number,
  tuning: Tuning,
): Promise<D> {
  checkRoot(exchange, root, "scatter");
  const isRoot = calls.rank === root;
  if (isRoot) checkParts(exchange, parts, "scatter");
  const given = isRoot ? (parts ?? []) : [];
  const items = given.map((part) => encodeData(part, "scatter"));
  const length = longBytes(items);
  const opened = await calls.open({ operation: "scatter", signature: signatureOf({ root }), length });
  const total = opened.data[root].length;
  if (isTooLong([total], calls.size)) {
    opened.skip();
    return ownCollectives.scatter(exchange, parts, root, tuning);
  }
  const { call, abi } = calls.library;
  const { byte } = abi;
  return opened.hold(async (run) => {
    const [table, sizes] = [tableOf("scatter", items), new Uint8Array(openingBytes)];
    await run(
      "MPI_Iscatter",
      (on, request) => call.Iscatter(table, openingBytes, byte, sizes, openingBytes, byte, root, on, request),
      [table, sizes],
    );
    const [part] = decodeOpenings(sizes, calls.rank, { operation: "scatter", signature: 0 }, 0);
    if (total === 0) return isRoot ? copyData(given[root]) : shortData<D>(part);
    const packed = PackedData.of(items);
    const into = new Uint8Array(part.length);
    await run(
      "MPI_Iscatterv",
      (on, request) => call.Iscatterv(...packed.all(byte), into, into.length, byte, root, on, request),
      [packed, into],
    );
    return isRoot ? copyData(given[root]) : (decodeData({ code: part.code, bytes: into }) as D);
  });
}

/** MPI_Ialltoallv, after all ranks have exchanged descriptions of what they send. */
export async function alltoall<D extends Data>(
  calls: OpenedCalls,
  exchange: Exchange,
  parts: readonly D[],
  tuning: Tuning,
): Promise<readonly D[]> {
  checkParts(exchange, parts, "alltoall");
  const items = parts.map((part) => encodeData(part, "alltoall"));
  const opened = await calls.open({ operation: "alltoall", signature: 0, length: longBytes(items) });
  const totals = opened.data.map(({ length }) => length);
  if (isTooLong(totals, calls.size ** 2)) {
    opened.skip();
    return ownCollectives.alltoall(exchange, parts, tuning);
  }
  const { call, abi } = calls.library;
  const { byte } = abi;
  return opened.hold(async (run) => {
    const table = tableOf("alltoall", items);
    const sizes = new Uint8Array(table.length);
    await run(
      "MPI_Ialltoall",
      (on, request) => call.Ialltoall(table, openingBytes, byte, sizes, openingBytes, byte, on, request),
      [table, sizes],
    );
    const received = decodeOpenings(sizes, calls.rank, { operation: "alltoall", signature: 0 }, 0);
    const collect = (take: (part: OpenedData, rank: number) => D) =>
      received.map((part, rank) => (rank === calls.rank ? copyData(parts[rank]) : take(part, rank)));
    if (totals.every((total) => total === 0)) return collect((part) => shortData<D>(part));
    const packed = PackedData.of(items);
    const into = new PackedData(received.map(({ length }) => length));
    await run(
      "MPI_Ialltoallv",
      (on, request) => call.Ialltoallv(...packed.all(byte), ...into.all(byte), on, request),
      [packed, into],
    );
    return collect(({ code }, rank) => into.take<D>(rank, code));
  });
}

/** What each rank is sent, as openings tell it, with the data that are short. */
function tableOf(operation: "scatter" | "alltoall", items: readonly Encoded[]): Uint8Array {
  const table = new Uint8Array(items.length * openingBytes);
  for (const [k, data] of items.entries()) {
    table.set(encodeOpening({ operation, signature: 0, data }), k * openingBytes);
  }
  return table;
}

/** All bytes, or 0 if all data are short. */
const longBytes = (items: readonly Encoded[]): number =>
  items.every(({ bytes }) => bytes.length <= maxOpeningData)
    ? 0
    : sumOf(items.map(({ bytes }) => bytes.length));
