import type { CrinkleError } from "../core/errors.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";
import type { DistributedVector, Offsets } from "./api.ts";
import type { Fallible, Stage } from "./exchange.ts";
import { lengthsOf, offsetsOf, type Range } from "./offsets.ts";
import type { Ranks, Step } from "./step.ts";

/** The memory of a vector on all ranks. */
export interface Memory<T extends ScalarType = ScalarType> extends Fallible {
  isReleased: boolean;
  /** Why some rank has no part. */
  failure: CrinkleError | undefined;
  /** This rank's elements; undefined where it failed to make them, which the others may not know yet. */
  part: Vector<T> | undefined;
  /** Whether somebody else reads the part, which then stays where it is. */
  isHandedOut: boolean;
  /** More of the vector on each rank: its part and elements around it. */
  window: Window<T> | undefined;
  /** Counts what has been scattered to it. */
  version: number;
  /** All elements as the host had them, where they are so few that they may be a table. */
  readonly table: HostArray<T> | undefined;
  /** All elements on each rank. */
  whole: Copy<T> | undefined;
  limits: Limits | undefined;
  firsts: { readonly version: number; readonly words: readonly (number | undefined)[] } | undefined;
}

/** What all ranks know of the elements of each, as they were at a version of the memory. */
interface Limits {
  readonly version: number;
  readonly perRank: readonly Limit[];
}

/** The first and the last number that elements may be; undefined where there are none. */
export type Limit = readonly [lowest: number, highest: number] | undefined;

/** Elements as they were at a version of the memory. */
interface Copy<T extends ScalarType> extends Fallible {
  /** −1 where some rank failed to make its copy. */
  version: number;
  /** This rank's; undefined where it failed to make them. */
  readonly vector: Vector<T> | undefined;
}

/** For each rank a range of elements, which includes its part. */
interface Window<T extends ScalarType> extends Copy<T> {
  readonly ranges: readonly Range[];
  /** What this rank's vector has: another one where it failed to make it anew. */
  readonly own: Range;
}

/** What the primitives of a rank know of a vector. */
export interface RankVector<T extends ScalarType = ScalarType> extends DistributedVector<T> {
  readonly owner: Ranks;
  /** All memory that it reads. */
  readonly memories: readonly Memory[];
  /** Whether `part` is memory, or a window of it. */
  readonly isWritable: boolean;
  /** Its memory, where it is all of that. */
  readonly stored?: Memory<T>;
  /** This rank's part, valid until the end of the step. A collective call. */
  part(step: Step): Promise<Vector<T>>;
  /** All elements without an exchange, where their numbers are made up. */
  readonly all?: () => Vector<T>;
  /** Each rank's first element, as a word, where all ranks know it without an exchange. */
  readonly firsts?: () => readonly (number | undefined)[];
}

export const isRankVector = <T extends ScalarType>(vector: Vector<T>): vector is RankVector<T> =>
  "owner" in vector && "memories" in vector && "offsets" in vector;

/** A vector that is all of its memory. */
export interface StoredVector<T extends ScalarType = ScalarType> extends RankVector<T> {
  readonly stored: Memory<T>;
}

/** A vector with memory: this rank's part, of which it becomes the owner; none where there was no room for it. */
export function storedVector<T extends ScalarType>(
  ranks: Ranks,
  shape: Shape<T>,
  offsets: Offsets,
  part: Vector<T> | undefined,
  table?: HostArray<T>,
): StoredVector<T> {
  const memory: Memory<T> = {
    isReleased: false,
    failure: undefined,
    part,
    isHandedOut: false,
    window: undefined,
    version: 0,
    table,
    whole: undefined,
    limits: undefined,
    firsts: undefined,
    fail(failure) {
      memory.failure = failure;
    },
  };
  const { type, components } = shape;
  return {
    owner: ranks,
    type,
    components,
    length: offsets[ranks.size],
    offsets,
    stored: memory,
    memories: [memory],
    isWritable: true,
    firsts: () => (memory.firsts?.version === memory.version ? memory.firsts.words : []),
    async part() {
      if (memory.failure) throw memory.failure;
      return memory.part ?? absent(shape, lengthsOf(offsets)[ranks.rank]);
    },
    release() {
      if (memory.isReleased) return;
      memory.isReleased = true;
      ranks.afterwards(() => {
        ranks.exchange.forget(memory);
        for (const held of [memory.part, memory.window?.vector, memory.whole?.vector]) held?.release();
        memory.part = memory.window = memory.whole = undefined;
      });
    },
  };
}

export type Shape<T extends ScalarType> = Pick<Vector<T>, "type" | "components">;

/** Stands for elements that this rank has failed to make, until the ranks know: nothing reads it before that. */
export const absent = <T extends ScalarType>({ type, components }: Shape<T>, length: number): Vector<T> => ({
  type,
  components,
  length,
  release() {},
});

/**
 * A vector whose part each rank has made without the others, undefined where it failed. Then the next exchange throws on all of
 * them, and what reads the vector afterwards.
 */
export function unconfirmed<T extends ScalarType>(
  { ranks, exchange }: Step,
  shape: Shape<T>,
  offsets: Offsets,
  part: Vector<T> | undefined,
): StoredVector<T> {
  const vector = storedVector(ranks, shape, offsets, part);
  exchange.awaitConfirmation(vector.stored);
  return vector;
}

/** Such a vector, by a stage that needs nothing of other ranks. */
export const madeAlone = async <T extends ScalarType>(
  step: Step,
  shape: Shape<T>,
  offsets: Offsets,
  stage: Stage<Vector<T>>,
): Promise<StoredVector<T>> => unconfirmed(step, shape, offsets, await step.exchange.alone(stage));

/** Elements [from, to) of a vector of this rank, which may be absent. */
export const viewIn = <T extends ScalarType>(
  { local, exchange }: Step,
  vector: Vector<T>,
  from: number,
  to: number,
): Vector<T> => (exchange.isFailing ? absent(vector, to - from) : local.view(vector, from, to));

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
  { type, components }: Shape<T>,
  offsets: Offsets,
  of: readonly RankVector[],
  {
    part,
    isWritable = false,
    all,
    firsts,
  }: Pick<RankVector<T>, "part" | "all" | "firsts"> & { readonly isWritable?: boolean },
): RankVector<T> {
  return {
    owner,
    type,
    components,
    length: offsets[owner.size],
    offsets,
    memories: of.flatMap(({ memories }) => memories),
    isWritable,
    part,
    all,
    firsts,
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
