/** What programs see of primitives over ranks. */
import type { Communicator } from "../cluster/communicator/communicator.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";

/** Where parts begin: p + 1 numbers, of which the first is 0 and the last the length. */
export type Offsets = readonly number[];

/** A vector over ranks: rank r has elements [offsets[r], offsets[r + 1]). */
export interface DistributedVector<T extends ScalarType = ScalarType> extends Vector<T> {
  /** One number more than there are ranks, the same on all of them. */
  readonly offsets: Offsets;
}

/**
 * Lengths of parts: proportional to weights, one for each rank, at least 0 and not all 0; those of another vector of the same
 * length; or proportional to the ranks' speeds. A rank's speed is the number of elements that it has of the vector, divided by the time
 * that its own part of all calls has taken since the last rebalance by speed. A rank without elements counts as fast as the others
 * do on average.
 */
export type Shares = readonly number[] | { readonly like: Vector } | { readonly by: "speed" };

/** Methods that know how vectors are distributed. */
export interface Layouts {
  /** Where the ranks' parts of a vector begin: see `DistributedVector`. */
  offsets(vector: Vector): Offsets;
  /** A vector of what each rank passes, in rank order: parts of any lengths, also none. Collective. */
  fromParts<T extends ScalarType>(
    type: T,
    part: HostArray<T>,
    components?: number,
  ): Promise<DistributedVector<T>>;
  /**
   * This rank's elements as a vector of its local primitives, which the caller releases: a view where they are in memory,
   * else made by an exchange. Collective.
   */
  localPart<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>>;
  /** A copy in other parts, even ones where `shares` is left out. Collective. Throws BadArgument. */
  rebalance<T extends ScalarType>(vector: Vector<T>, shares?: Shares): Promise<DistributedVector<T>>;
  /** Element i is element i − d of the vector, 0 where there is none. */
  shift<T extends ScalarType>(vector: Vector<T>, d: number): Promise<DistributedVector<T>>;
}

/** Primitives over ranks. Their vectors are `DistributedVector`. */
export type DistributedPrimitives = Primitives & Layouts;

/** A communicator that measures how long messages take to be put together. */
export interface Packing {
  packing?<T>(work: () => T): T;
}

/** What distributed primitives need of a communicator. */
export type RankCommunicator = Pick<
  Communicator,
  "rank" | "size" | "send" | "recv" | "allgather" | "alltoall" | "reduceScatter" | "revoke"
> &
  Packing;
