import { mismatchedCall } from "../../cluster/communicator/collective-call.ts";
import { signatureMismatch } from "../../cluster/communicator/collectives/call-signature.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { decodeData, type Encoded } from "../../cluster/communicator/data.ts";
import { revoked } from "../../cluster/communicator/errors.ts";

/** A job of MPI's has one: it ends when a rank is lost. */
export const epoch = 0;

const operations = [
  "barrier",
  "bcast",
  "gather",
  "scatter",
  "allgather",
  "alltoall",
  "reduce",
  "allreduce",
  "reduceScatter",
  "scan",
  "exscan",
  "split",
  "free",
  "dup",
  "end",
] as const;

/** What a collective call opens with: all ranks send each other what they call, and their data if those are short. */
export interface Opening {
  /** `end` is no call: the rank makes no more. */
  readonly operation: (typeof operations)[number];
  /** A hash of what all ranks must agree on. */
  readonly signature: number;
  /** This rank's data, if the call takes any. */
  readonly data?: Encoded;
  /** The length to tell the others, if it is not that of the data. */
  readonly length?: number;
}

/** The opening of a call. */
export type CallOpening = Opening & { readonly operation: Exclude<Opening["operation"], "end"> };

/** What a rank's opening says of its data. */
export interface OpenedData {
  readonly code: number;
  readonly length: number;
  /** The data themselves, if they are short: a view of memory that the reader owns. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * An opening: its signature (u32), operation (u8), type of data (u8), two zero bytes, and the data's length (f64); then
 * the data, if they are not longer than the space for them.
 */
export const openingBytes = 64;
const headerBytes = 16;
export const maxOpeningData = openingBytes - headerBytes;

export function encodeOpening({ operation, signature, data, length }: Opening): Uint8Array {
  const opening = new Uint8Array(openingBytes);
  const view = new DataView(opening.buffer);
  view.setUint32(0, signature, true);
  opening[4] = operations.indexOf(operation);
  view.setFloat64(8, length ?? data?.bytes.length ?? 0, true);
  if (!data) return opening;
  opening[5] = data.code;
  if (data.bytes.length <= maxOpeningData) opening.set(data.bytes, headerBytes);
  return opening;
}

/** The ranks' openings, one after the other. Throws BadArgument if they are not of the same call. */
export function decodeOpenings(
  all: Uint8Array,
  rank: number,
  own: Pick<CallOpening, "operation" | "signature">,
  sequence: number,
): OpenedData[] {
  const view = new DataView(all.buffer);
  const result: OpenedData[] = [];
  for (let source = 0, at = 0; at < all.length; source++, at += openingBytes) {
    const operation = operations[all[at + 4]];
    if (operation === "end") throw revoked(own.operation, source, epoch);
    if (operation !== own.operation) {
      throw mismatchedCall({ source, operation, sequence, epoch }, own.operation, rank);
    }
    if (view.getUint32(at, true) !== own.signature) throw signatureMismatch(operation, rank, source);
    const length = view.getFloat64(at + 8, true);
    const start = at + headerBytes;
    const bytes = length <= maxOpeningData ? all.subarray(start, start + length) : undefined;
    result.push({ code: all[at + 5], length, bytes });
  }
  return result;
}

/** Whether no rank makes more calls. */
export function isEndOfAll(all: Uint8Array): boolean {
  for (let at = 0; at < all.length; at += openingBytes) {
    if (operations[all[at + 4]] !== "end") return false;
  }
  return true;
}

/** Data that an opening holds, in memory of their own. */
export const shortData = <D extends Data>({ code, bytes }: OpenedData): D =>
  decodeData({ code, bytes: (bytes as Uint8Array).slice() }) as D;
