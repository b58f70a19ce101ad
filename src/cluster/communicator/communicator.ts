import type { TypedArray } from "../../core/dtype.ts";
import type { Clock } from "../clock.ts";
import type { Tuning } from "./collectives/tuning.ts";
import type { Reduction } from "./operators.ts";

/**
 * Small structured values: what JSON can hold. They are copied, not shared; at most `maxValueBytes` as
 * UTF-8.
 */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

export type Data = TypedArray | Value;

/** MPI_ANY_SOURCE and MPI_ANY_TAG. */
export const anySource = -1;
export const anyTag = -1;

/** MPI_Status. */
export interface Status {
  readonly source: number;
  readonly tag: number;
}

export interface Received<D extends Data = Data> extends Status {
  readonly data: D;
}

/** MPI_Request: an operation in progress. */
export interface Request<R> {
  /** MPI_Wait. */
  readonly done: Promise<R>;
  /** MPI_Test: whether it has ended, successfully or not. */
  readonly isDone: boolean;
  /**
   * MPI_Cancel: cancels a receive that no message has matched and returns whether it could. `done` then
   * rejects.
   */
  cancel(): boolean;
}

/**
 * MPI's communicator: ranks that exchange messages and call collectives together. Every rank calls the same
 * collectives in the same order, but need not await them one by one. Data are typed arrays (any of the ten
 * element types) or small values; received data belong to the receiver. If a rank fails, every pending and
 * every later call rejects with RankFailed (MPI_ERR_PROC_FAILED) or Revoked, which name the ranks, the
 * operation and the epoch; `shrink` continues with the remaining ranks. No call waits forever.
 */
export interface Communicator {
  readonly rank: number;
  readonly size: number;
  /** Incremented whenever ranks are lost. */
  readonly epoch: number;
  /** What its algorithms are chosen by. */
  readonly tuning: Tuning;
  /** Ranks known to have failed. */
  readonly failed: readonly number[];

  /** Resolves when `data` may be changed again, which may wait for the receive. Tags are 0 to 2³⁰ − 1. */
  send(to: number, data: Data, tag?: number): Promise<void>;
  /** Messages with the same source and tag arrive in order. */
  recv<D extends Data = Data>(from?: number, tag?: number): Promise<Received<D>>;
  /**
   * Receives into the caller's array, which must not be used meanwhile; resolves to the number of elements
   * received. Rejects with Truncated if the message does not fit. If it rejects, the array may hold part of
   * a message.
   */
  recvInto(into: TypedArray, from?: number, tag?: number): Promise<Status & { readonly count: number }>;
  sendrecv<D extends Data = Data>(
    to: number,
    data: Data,
    from?: number,
    tags?: { readonly send?: number; readonly recv?: number },
  ): Promise<Received<D>>;
  isend(to: number, data: Data, tag?: number): Request<void>;
  irecv<D extends Data = Data>(from?: number, tag?: number): Request<Received<D>>;
  /** Whether a matching message has arrived; does not receive it. */
  iprobe(from?: number, tag?: number): Status | undefined;

  barrier(): Promise<void>;
  /** Every rank gets the root's data; the others pass undefined. */
  bcast<D extends Data>(data: D | undefined, root?: number): Promise<D>;
  /**
   * The root gets what each rank passes, in rank order; the others get undefined. Lengths may differ
   * (MPI_Gatherv).
   */
  gather<D extends Data>(data: D, root?: number): Promise<readonly D[] | undefined>;
  /** Rank i gets the root's part i (MPI_Scatterv: lengths may differ). The others pass undefined. */
  scatter<D extends Data>(parts: readonly D[] | undefined, root?: number): Promise<D>;
  /** Like gather, on every rank (MPI_Allgatherv). */
  allgather<D extends Data>(data: D): Promise<readonly D[]>;
  /** Sends part i to rank i and returns what each rank sent (MPI_Alltoallv). */
  alltoall<D extends Data>(parts: readonly D[]): Promise<readonly D[]>;
  /**
   * Reduces element by element in rank order, grouped in a way that depends on sizes alone, so results are
   * reproducible to the bit. The root gets the result; the others get undefined.
   */
  reduce<D extends Data>(data: D, operator: Reduction<D>, root?: number): Promise<D | undefined>;
  allreduce<D extends Data>(data: D, operator: Reduction<D>): Promise<D>;
  /** Rank i gets `counts[i]` elements of the reduced array, after those of the ranks before. */
  reduceScatter<D extends TypedArray>(data: D, counts: readonly number[], operator: Reduction<D>): Promise<D>;
  /** Rank i gets the reduction of ranks 0 … i. */
  scan<D extends Data>(data: D, operator: Reduction<D>): Promise<D>;
  /** Rank i gets the reduction of ranks 0 … i − 1; rank 0 gets undefined. */
  exscan<D extends Data>(data: D, operator: Reduction<D>): Promise<D | undefined>;

  /**
   * Ranks of the same colour (≥ 0) form a communicator, ordered by key, then rank; without a colour, none.
   */
  split(color: number | undefined, key?: number): Promise<Communicator | undefined>;
  /** The same ranks, with messages separate from this communicator's. */
  dup(): Promise<Communicator>;

  /**
   * Like dup, but also measures message times between the ranks, by which the new communicator chooses its
   * algorithms. Takes some tens of milliseconds over fast links; nothing else should be in progress.
   * `clock` is the rank's.
   */
  tuned(clock: Pick<Clock, "now">): Promise<Communicator>;

  /**
   * Collective: waits until everything in progress on this communicator is done on all ranks, then releases
   * it. Later calls reject with BadArgument (MPI_ERR_COMM), as does `free` on the communicator of all
   * ranks. Messages that nobody received are dropped; a revoked communicator is released with its epoch.
   */
  free(): Promise<void>;

  /** Ends every call on this communicator, on all ranks, with Revoked (MPI_Comm_revoke). */
  revoke(): void;
  /**
   * After a failure: a communicator of the remaining ranks, in the same order on all of them, in a new
   * epoch (MPI_Comm_shrink). Resolves at once if nothing has failed since.
   */
  shrink(): Promise<Communicator>;
}
