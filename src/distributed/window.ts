import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { areSameOffsets, evenOffsets, intersection, type Offsets, type Range, rangesOf } from "./offsets.ts";
import type { Step } from "./step.ts";
import { type RankVector, vectorOf } from "./vector.ts";
import { bitsOf, joined, wordsOf } from "./words.ts";

/**
 * For each rank a range of a vector's elements, zeros beyond its ends: this rank's, until the end of the step. Ranks send each
 * other what they lack, which all of them know; nothing is sent where they all have their ranges.
 */
export async function windowOf<T extends ScalarType>(
  step: Step,
  vector: RankVector<T>,
  ranges: readonly Range[],
): Promise<Vector<T>> {
  const { local, rank, exchange } = step;
  const { type, components } = vector;
  const part = await vector.part(step);
  const parts = rangesOf(vector.offsets);
  const [own, wanted] = [parts[rank], ranges[rank]];
  const isAtHand = ({ from, to }: Range, k: number) =>
    from === to || (from >= parts[k].from && to <= parts[k].to);
  if (ranges.every(isAtHand)) {
    return wanted.from === wanted.to
      ? local.view(part, 0, 0)
      : local.view(part, wanted.from - own.from, wanted.to - own.from);
  }
  const arrived = await exchange.alltoall(() =>
    Promise.all(
      ranges.map(async (range, k) => {
        const { from, to } = intersection(own, range);
        if (k === rank || from === to) return [];
        return [bitsOf(await local.toHost(local.view(part, from - own.from, to - own.from)))];
      }),
    ),
  );
  const window = await exchange.together(async () => {
    const places = local.counting("u32", wanted.to - wanted.from, (wanted.from - own.from) >>> 0);
    const elements = await local.gather(places, part);
    for (const [k, words] of arrived.entries()) {
      if (words.length === 0) continue;
      const piece = step.hold(local.fromHost(type, wordsOf(type, words), components));
      const { from } = intersection(parts[k], wanted);
      await local.scatter(piece, local.counting("u32", piece.length, from - wanted.from), elements);
    }
    return elements;
  });
  return step.hold(window);
}

/** This rank's part of a vector that is distributed as the offsets say, until the end of the step. */
export const alignedPart = <T extends ScalarType>(
  step: Step,
  vector: RankVector<T>,
  offsets: Offsets,
): Promise<Vector<T>> =>
  areSameOffsets(vector.offsets, offsets) ? vector.part(step) : windowOf(step, vector, rangesOf(offsets));

/** Whether all elements are on all ranks already. */
export const isWholeAtHand = ({ all, isStored, memories: [memory] }: RankVector): boolean =>
  all !== undefined || (isStored && memory.whole?.version === memory.version);

/** All elements on this rank, until the end of the step. They are gathered once for vectors with memory. */
export async function wholeOf<T extends ScalarType>(step: Step, vector: RankVector<T>): Promise<Vector<T>>;
export async function wholeOf(step: Step, vector: RankVector): Promise<Vector> {
  if (vector.all) return vector.all();
  const { local, exchange, size } = step;
  const { type, components, isStored } = vector;
  const part = await vector.part(step);
  if (size === 1) return part;
  const [memory] = vector.memories;
  if (isStored && memory.whole?.version === memory.version) return memory.whole.vector;
  const words = isStored && memory.version === 0 && memory.table ? memory.table : await gatheredWords();
  const whole = await exchange.together(() => local.fromHost<ScalarType>(type, words, components));
  if (!isStored) return step.hold(whole);
  memory.whole?.vector.release();
  memory.whole = { version: memory.version, vector: whole };
  return whole;

  async function gatheredWords() {
    const parts = await exchange.allgather(async () => bitsOf(await local.toHost(part)));
    return exchange.together(() => wordsOf<ScalarType>(type, joined(parts)));
  }
}

/** The elements of `a`, then those of `b`, in even parts. */
export async function concatenated<T extends ScalarType>(
  step: Step,
  a: RankVector<T>,
  b: RankVector<T>,
): Promise<RankVector<T>> {
  const { local, exchange, rank, size } = step;
  const offsets = evenOffsets(a.length + b.length, size);
  const within = (length: number, shift: number) =>
    rangesOf(offsets.map((offset) => Math.max(0, Math.min(length, offset - shift))));
  const first = await windowOf(step, a, within(a.length, 0));
  const second = await windowOf(step, b, within(b.length, a.length));
  const part = await exchange.together(async () => {
    const both = await local.gather(local.counting("u32", offsets[rank + 1] - offsets[rank]), first);
    await local.scatter(second, local.counting("u32", second.length, first.length), both);
    return both;
  });
  return vectorOf(step, part, offsets);
}
