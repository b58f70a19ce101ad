import type { TypedArray } from "../../../core/dtype.ts";
import type { Data } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import type { Reduction } from "../operators.ts";
import { allgather } from "./allgather.ts";
import { allreduce } from "./allreduce.ts";
import { alltoall } from "./alltoall.ts";
import { barrier, flushAll } from "./barrier.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { reduce } from "./reduce.ts";
import { reduceScatter } from "./reduce-scatter.ts";
import { exscan, scan } from "./scan.ts";
import { scatter } from "./scatter.ts";
import type { Tuning } from "./tuning.ts";

/**
 * The collective calls of one communicator, as Communicator describes them. Each is called at once, in the order of the
 * communicator's calls; if one rejects, the communicator is revoked.
 */
export interface Collectives {
  barrier(exchange: Exchange, tuning: Tuning): Promise<void>;
  bcast<D extends Data>(exchange: Exchange, data: D | undefined, root: number, tuning: Tuning): Promise<D>;
  gather<D extends Data>(
    exchange: Exchange,
    data: D,
    root: number,
    tuning: Tuning,
  ): Promise<readonly D[] | undefined>;
  scatter<D extends Data>(
    exchange: Exchange,
    parts: readonly D[] | undefined,
    root: number,
    tuning: Tuning,
  ): Promise<D>;
  allgather<D extends Data>(exchange: Exchange, data: D, tuning: Tuning): Promise<readonly D[]>;
  alltoall<D extends Data>(exchange: Exchange, parts: readonly D[], tuning: Tuning): Promise<readonly D[]>;
  reduce<D extends Data>(
    exchange: Exchange,
    data: D,
    operator: Reduction<D>,
    root: number,
    tuning: Tuning,
  ): Promise<D | undefined>;
  allreduce<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>, tuning: Tuning): Promise<D>;
  reduceScatter<D extends TypedArray>(
    exchange: Exchange,
    data: D,
    counts: readonly number[],
    operator: Reduction<D>,
    tuning: Tuning,
  ): Promise<D>;
  scan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D>;
  exscan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D | undefined>;
  /** An allgather of what `split` needs. */
  split(exchange: Exchange, given: Float64Array, tuning: Tuning): Promise<readonly Float64Array[]>;
  /** Resolves when no more messages of the communicator arrive. */
  free(exchange: Exchange): Promise<void>;
  /** The communicator has ended: this rank makes no more calls. */
  end(): void;
  /** Those of a communicator with the same ranks; called by all ranks in the order of their calls. */
  dup(): Collectives;
}

/** Made of messages between the ranks. */
export const ownCollectives: Collectives = {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduceScatter,
  scan,
  exscan,
  split: allgather,
  free: flushAll,
  end() {},
  dup: () => ownCollectives,
};
