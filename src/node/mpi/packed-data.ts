import type { Data } from "../../cluster/communicator/communicator.ts";
import { decodeData, type Encoded } from "../../cluster/communicator/data.ts";
import type { Handle } from "./abi.ts";
import { maxInt } from "./library.ts";

/** Data of several ranks in one buffer, as MPI's calls with a v take them. */
export class PackedData {
  readonly bytes: Uint8Array;
  readonly lengths: Int32Array;
  /** Multiples of 8. */
  readonly starts: Int32Array;

  constructor(lengths: readonly number[]) {
    this.lengths = Int32Array.from(lengths);
    this.starts = new Int32Array(lengths.length);
    let end = 0;
    for (const [k, length] of lengths.entries()) {
      this.starts[k] = end;
      end += Math.ceil(length / 8) * 8;
    }
    this.bytes = new Uint8Array(end);
  }

  static of(items: readonly Encoded[]): PackedData {
    const packed = new PackedData(items.map(({ bytes }) => bytes.length));
    for (const [k, { bytes }] of items.entries()) packed.bytes.set(bytes, packed.starts[k]);
    return packed;
  }

  /** The arguments of a call. */
  all(type: Handle): [Uint8Array, Int32Array, Int32Array, Handle] {
    return [this.bytes, this.lengths, this.starts, type];
  }

  /** The data of a rank, in memory of their own. */
  take<D extends Data>(rank: number, code: number): D {
    const start = this.starts[rank];
    return decodeData({ code, bytes: this.bytes.slice(start, start + this.lengths[rank]) }) as D;
  }
}

/**
 * The longest data, on average, that are collected in one buffer. Longer ones go by messages, each from and into its own
 * memory, which saves two copies.
 */
const maxPackedBytes = 2 ** 16;

/** Whether data, of that many ranks, are too long for one buffer. */
export const isTooLong = (lengths: readonly number[], ranks: number): boolean =>
  sumOf(lengths) > Math.min(ranks * maxPackedBytes, maxInt);

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
