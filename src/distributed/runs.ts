import type { RunsBackend } from "../core/primitives/backend.ts";
import type { NaryFunction, Operator } from "../core/primitives/functions.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { headsOf } from "./boundaries.ts";
import { chosen } from "./compaction.ts";
import { rangesOf } from "./offsets.ts";
import { scannedByKey } from "./scan-by-key.ts";
import type { Ranks, Step } from "./step.ts";
import { checkOperator } from "./totals.ts";
import { countingOf, madeAlone, type RankVector } from "./vector.ts";
import { alignedPart, windowOf } from "./window.ts";

/** What is done with runs of equal neighbours, which may go over any number of ranks. */
export const distributedRuns = (ranks: Ranks): RunsBackend => ({
  reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
    keys: RankVector<K>,
    values: RankVector<V>,
    operator: O,
  ) {
    checkOperator(values.type, operator);
    return ranks.run(async (step) => {
      const heads = step.hold(await headsOf(step, { keys }, keys.offsets));
      const ends = step.hold(await runEnds(step, heads));
      const scan = step.hold(await scannedByKey(step, { heads }, values, operator, { isExclusive: false }));
      const firsts = await chosen(step, keys, heads);
      const totals = step.hold(await chosen(step, scan, ends));
      return { keys: firsts, values: await realigned(step, totals, firsts.offsets) };
    });
  },

  runLengthEncode: <T extends ScalarType>(keys: RankVector<T>) =>
    ranks.run(async (step) => {
      const { local } = step;
      const heads = step.hold(await headsOf(step, { keys }, keys.offsets));
      const firsts = await chosen(step, keys, heads);
      const starts = step.hold(await chosen(step, countingOf(step, keys.offsets), heads));
      const parts = [await starts.part(step), await following(step, starts)];
      const lengths = madeAlone(step, starts, starts.offsets, () =>
        local.zip([...parts, local.constant("u32", parts[0].length, keys.length)], runLength, "u32"),
      );
      return { keys: firsts, values: await lengths };
    }),

  uniqueByKey: <K extends ScalarType, V extends ScalarType>(keys: RankVector<K>, values: RankVector<V>) =>
    ranks.run(async (step) => {
      const heads = step.hold(await headsOf(step, { keys }, keys.offsets));
      const firsts = await chosen(step, keys, heads);
      const theirs = step.hold(await chosen(step, values, heads));
      return { keys: firsts, values: await realigned(step, theirs, firsts.offsets) };
    }),

  unique: <T extends ScalarType>(keys: RankVector<T>) =>
    ranks.run(async (step) => {
      const heads = step.hold(await headsOf(step, { keys }, keys.offsets));
      return chosen(step, keys, heads);
    }),
});

/** From a run's start to the next one's, 0 where there is none, or to the end. */
const runLength: NaryFunction = { name: "length of a run", text: "select(x1, x2, x1 == 0u) - x0" };

/** Of each element the one that follows it, 0 after the last; until the end of the step. */
const following = (step: Step, vector: RankVector<"u32">) =>
  windowOf(
    step,
    vector,
    rangesOf(vector.offsets).map(({ from, to }) =>
      from === to ? { from, to } : { from: from + 1, to: to + 1 },
    ),
  );

/** Flags of the elements that end runs. */
async function runEnds(step: Step, heads: RankVector<"u32">): Promise<RankVector<"u32">> {
  const { local, rank } = step;
  const next = await following(step, heads);
  const { offsets, length } = heads;
  const isLast = offsets[rank + 1] === length && next.length > 0;
  return madeAlone(step, heads, offsets, async () => {
    const ends = await local.copy(next);
    if (isLast) {
      const at = local.constant("u32", 1, next.length - 1);
      await local.scatter(local.constant("u32", 1, 1), at, ends);
    }
    return ends;
  });
}

/** The vector, distributed as the offsets say, with memory of its own. */
async function realigned<T extends ScalarType>(
  step: Step,
  vector: RankVector<T>,
  offsets: readonly number[],
): Promise<RankVector<T>> {
  const part = await alignedPart(step, vector, offsets);
  return madeAlone(step, vector, offsets, () => step.local.copy(part));
}
