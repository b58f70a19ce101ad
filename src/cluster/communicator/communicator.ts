import type { TypedArray } from "../../core/dtype.ts";
import type { Clock } from "../clock.ts";
import type { Tuning } from "./collectives/tuning.ts";
import type { Reduction } from "./operators.ts";

/** Small structured values: what JSON has. They are copied, not shared; at most `maxValueBytes` as UTF-8. */
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

/** MPI_Request: an operation under way. */
export interface Request<R> {
  /** MPI_Wait. */
  readonly done: Promise<R>;
  /** MPI_Test: whether it has ended, well or not. */
  readonly isDone: boolean;
  /** MPI_Cancel: takes back a receive that nothing has matched; tells whether it could. Its `done` rejects then. */
  cancel(): boolean;
}

/**
 * Ranks that pass messages, and call collectives together: MPI's communicator. Every rank of it calls the same
 * collectives in the same order; calls need not be awaited one by one. Data are typed arrays (any of the ten element
 * types) or small values; what is received is the receiver's own. Where a rank fails, every call under way and every
 * later one rejects with RankFailed (MPI_ERR_PROC_FAILED) or Revoked, which name the ranks, the operation and the epoch;
 * `shrink` goes on with those that are left. No call waits for ever.
 */
export interface Communicator {
  readonly rank: number;
  readonly size: number;
  /** Counts the times that ranks were lost. */
  readonly epoch: number;
  /** What its algorithms are chosen by. */
  readonly tuning: Tuning;
  /** Ranks known to have failed. */
  readonly failed: readonly number[];

  /** Resolves when `data` may be changed again, which may wait for the receive. Tags are 0 to 2³⁰ − 1. */
  send(to: number, data: Data, tag?: number): Promise<void>;
  /** Messages of one source and tag arrive in their order. */
  recv<D extends Data = Data>(from?: number, tag?: number): Promise<Received<D>>;
  /**
   * Into memory of one's own, which is not to be used meanwhile; resolves to the elements received. Truncated where they
   * are more than fit. Where it rejects, the array may hold part of a message.
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
  /** Whether a message has come that a receive would take, without taking it. */
  iprobe(from?: number, tag?: number): Status | undefined;

  barrier(): Promise<void>;
  /** The root's data on every rank; the others give nothing. */
  bcast<D extends Data>(data: D | undefined, root?: number): Promise<D>;
  /** What each rank gives, in the order of ranks, on the root; undefined elsewhere. Lengths may differ (MPI_Gatherv). */
  gather<D extends Data>(data: D, root?: number): Promise<readonly D[] | undefined>;
  /** Part i of the root's to rank i (MPI_Scatterv: lengths may differ). The others give nothing. */
  scatter<D extends Data>(parts: readonly D[] | undefined, root?: number): Promise<D>;
  /** As gather, on every rank (MPI_Allgatherv). */
  allgather<D extends Data>(data: D): Promise<readonly D[]>;
  /** Part i to rank i; what came from each rank (MPI_Alltoallv). */
  alltoall<D extends Data>(parts: readonly D[]): Promise<readonly D[]>;
  /**
   * Element by element, in the order of ranks, grouped in a way that depends on sizes alone: results repeat to the bit.
   * The result is on the root; undefined elsewhere.
   */
  reduce<D extends Data>(data: D, operator: Reduction<D>, root?: number): Promise<D | undefined>;
  allreduce<D extends Data>(data: D, operator: Reduction<D>): Promise<D>;
  /** Rank i receives elements of the reduced array: `counts[i]` of them, after those of the ranks before. */
  reduceScatter<D extends TypedArray>(data: D, counts: readonly number[], operator: Reduction<D>): Promise<D>;
  /** Rank i: the reduction of ranks 0 … i. */
  scan<D extends Data>(data: D, operator: Reduction<D>): Promise<D>;
  /** Rank i: of ranks 0 … i − 1; undefined on rank 0. */
  exscan<D extends Data>(data: D, operator: Reduction<D>): Promise<D | undefined>;

  /** Ranks of one colour (≥ 0) make a communicator, ordered by key, then rank; without a colour, none. */
  split(color: number | undefined, key?: number): Promise<Communicator | undefined>;
  /** The same ranks, whose messages never mix with this one's. */
  dup(): Promise<Communicator>;

  /**
   * As dup, and measures meanwhile what messages take between the ranks: the new communicator's algorithms are chosen by
   * that. Takes some tens of milliseconds over quick links; nothing else should be under way. `clock`: the rank's.
   */
  tuned(clock: Pick<Clock, "now">): Promise<Communicator>;

  /**
   * Collective: what is under way on this communicator is done first, on all ranks; then it is let go. Later calls reject
   * with BadArgument (MPI_ERR_COMM), as this one does on the communicator of all ranks. Messages that nobody received are
   * dropped; a revoked communicator goes with its epoch.
   */
  free(): Promise<void>;

  /** Ends every call on this communicator, on all ranks, with Revoked (MPI_Comm_revoke). */
  revoke(): void;
  /**
   * After a failure: the ranks that are left, in the same order, on all of them alike, in a new epoch
   * (MPI_Comm_shrink). Resolves at once where nothing failed since.
   */
  shrink(): Promise<Communicator>;
}
