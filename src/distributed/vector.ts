import type { CrinkleError } from "../core/errors.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";
import { type Offsets, offsetsOf } from "./offsets.ts";
import type { Ranks, Step } from "./step.ts";

/** A vector over ranks: rank r has elements [offsets[r], offsets[r + 1]). */
export interface DistributedVector<T extends ScalarType = ScalarType> extends Vector<T> {
  /** One number more than there are ranks, the same on all of them. */
  readonly offsets: Offsets;
}

/** The memory of a vector on all ranks. */
interface Memory {
  isReleased: boolean;
  /** Why some rank had no room for its part. */
  failure: CrinkleError | undefined;
  /** Counts what has been scattered to it. */
  version: number;
  /** All elements as the host had them, where they are so few that they may be a table. */
  readonly table: HostArray | undefined;
  /** All elements on this rank, as they were at a version. */
  whole: { readonly version: number; readonly vector: Vector } | undefined;
}

/** What the primitives of a rank know of a vector. */
export interface RankVector<T extends ScalarType = ScalarType> extends DistributedVector<T> {
  readonly owner: Ranks;
  /** All memory that it reads. */
  readonly memories: readonly Memory[];
  /** Whether `part` is memory, or a window of it. */
  readonly isWritable: boolean;
  /** Whether it is all of its memory. */
  readonly isStored: boolean;
  /** This rank's part, valid until the end of the step. A collective call. */
  part(step: Step): Promise<Vector<T>>;
  /** All elements without an exchange, where their numbers are made up. */
  readonly all?: () => Vector<T>;
}

export const isRankVector = <T extends ScalarType>(vector: Vector<T>): vector is RankVector<T> =>
  "owner" in vector && "memories" in vector && "offsets" in vector;

/** A vector with memory: this rank's part, of which it becomes the owner; none where there was no room for it. */
export function storedVector<T extends ScalarType>(
  ranks: Ranks,
  { type, components }: Pick<Vector<T>, "type" | "components">,
  offsets: Offsets,
  part: Vector<T> | undefined,
  table?: HostArray<T>,
): RankVector<T> & { readonly memory: Memory } {
  const memory: Memory = { isReleased: false, failure: undefined, version: 0, table, whole: undefined };
  return {
    owner: ranks,
    type,
    components,
    length: offsets[ranks.size],
    offsets,
    memory,
    memories: [memory],
    isWritable: true,
    isStored: true,
    async part() {
      if (part && !memory.failure) return part;
      throw memory.failure ?? new Error("The ranks have not agreed on the memory of a vector.");
    },
    release() {
      if (memory.isReleased) return;
      memory.isReleased = true;
      ranks.afterwards(() => {
        part?.release();
        memory.whole?.vector.release();
        memory.whole = undefined;
      });
    },
  };
}

/** A vector of parts that are as long on each rank as the offsets say. */
export const vectorOf = <T extends ScalarType>(
  { ranks }: Step,
  part: Vector<T>,
  offsets: Offsets,
): RankVector<T> => storedVector(ranks, part, offsets, part);

/** A vector of parts of any lengths. The stage makes this rank's. */
export async function collected<T extends ScalarType>(
  step: Step,
  stage: () => Promise<Vector<T>>,
): Promise<RankVector<T>> {
  const [vector] = await collectedAll(step, async () => [await stage()]);
  return vector;
}

/** Several such vectors. */
export async function collectedAll<V extends readonly Vector[]>(
  step: Step,
  stage: () => Promise<V>,
): Promise<{ readonly [K in keyof V]: V[K] extends Vector<infer T> ? RankVector<T> : never }>;
export async function collectedAll(step: Step, stage: () => Promise<readonly Vector[]>) {
  let parts: readonly Vector[] = [];
  const allgather = step.exchange.allgather(async () => {
    parts = await stage();
    return Uint32Array.from(parts, ({ length }) => length);
  });
  const lengths = await allgather.catch((error: unknown) => {
    for (const part of parts) part.release();
    throw error;
  });
  return parts.map((part, k) => vectorOf(step, part, offsetsOf(lengths.map((ofRank) => ofRank[k]))));
}

/** A view of what `of` read, or of nothing. */
export function viewOf<T extends ScalarType>(
  owner: Ranks,
  { type, components }: Pick<Vector<T>, "type" | "components">,
  offsets: Offsets,
  of: readonly RankVector[],
  { part, isWritable = false, all }: Pick<RankVector<T>, "part" | "all"> & { readonly isWritable?: boolean },
): RankVector<T> {
  return {
    owner,
    type,
    components,
    length: offsets[owner.size],
    offsets,
    memories: of.flatMap(({ memories }) => memories),
    isWritable,
    isStored: false,
    part,
    all,
    release() {},
  };
}

/** The positions of this rank's elements. */
export const positionsIn = ({ local, rank }: Step, offsets: Offsets): Vector<"u32"> =>
  local.counting("u32", offsets[rank + 1] - offsets[rank], offsets[rank]);

/** The numbers 0, 1, …, of which each rank has those of its part. */
export const countingOf = (step: Step, offsets: Offsets): RankVector<"u32"> =>
  viewOf(step.ranks, { type: "u32", components: 1 }, offsets, [], {
    part: async () => positionsIn(step, offsets),
  });
