import type { ReductionsBackend } from "../core/primitives/backend.ts";
import type { BinaryOperator, Operator } from "../core/primitives/functions.ts";
import { isLocating, noPosition } from "../core/primitives/operators.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { combination } from "../kernel/element-functions.ts";
import type { Ranks, Step } from "./step.ts";
import { checkOperator, folded, type Total, totalingOf } from "./totals.ts";
import type { RankVector } from "./vector.ts";
import { alignedPart } from "./window.ts";
import { elementOf, wordOf } from "./words.ts";

/** What sums elements up: each rank its part; all ranks fold the parts' results in rank order. */
export const distributedReductions = (ranks: Ranks): ReductionsBackend => ({
  reduce(vector: RankVector, operator, init, f, type = vector.type) {
    checkOperator(type, operator);
    return ranks.run(async (step) => {
      const { local, exchange, rank } = step;
      const part = await vector.part(step);
      const { offsets } = vector;
      const totaling = totalingOf(step, type, operator);
      const words = await exchange.allgather(async () => {
        const begin = init === undefined ? [] : await totaling.ofInit(init);
        if (part.length === 0) return Uint32Array.from(begin);
        const values = f ? step.hold(await local.transform(part, f, type)) : part;
        return Uint32Array.from([...begin, ...(await totaling.of(values, offsets[rank]))]);
      });
      const width = init === undefined ? 0 : totaling.width;
      const totals = words.map((ofRank) =>
        ofRank.length > width ? Array.from(ofRank.subarray(width)) : undefined,
      );
      const begin = init === undefined ? undefined : Array.from(words[0].subarray(0, width));
      return resultOf(type, operator, folded(totaling, totals, begin));
    });
  },

  innerProduct(a: RankVector, b: RankVector, combine, pair, init) {
    checkOperator(a.type, combine);
    return ranks.run(async (step) => {
      const { type, offsets } = a;
      const partA = await a.part(step);
      const partB = await alignedPart(step, b, offsets);
      const words = await step.exchange.allgather(async () => {
        if (partA.length === 0) return new Uint32Array(0);
        return Uint32Array.of(wordOf(type, await step.local.innerProduct(partA, partB, combine, pair)));
      });
      return foldedElements(type, combine, words, init);
    });
  },

  minmax: (vector: RankVector) =>
    ranks.run(async (step) => {
      const { type } = vector;
      const part = await vector.part(step);
      const words = await step.exchange.allgather(async () =>
        Uint32Array.from(part.length === 0 ? [] : await step.local.minmax(part), (x) => wordOf(type, x)),
      );
      const numbers = words
        .map((ofRank) => Array.from(ofRank, (word) => elementOf(type, word)))
        .filter(([least]) => least !== undefined && !Number.isNaN(least));
      if (numbers.length === 0) return [Number.NaN, Number.NaN] as const;
      return [
        Math.min(...numbers.map(([least]) => least)),
        Math.max(...numbers.map(([, greatest]) => greatest)),
      ] as const;
    }),

  count: (vector: RankVector, value) => counted(ranks, vector, (step, part) => step.local.count(part, value)),
  countIf: (vector: RankVector, predicate) =>
    counted(ranks, vector, (step, part) => step.local.countIf(part, predicate)),

  async all(vector: RankVector, predicate) {
    const others = await counted(ranks, vector, async ({ local }, part) =>
      Number(!(await local.all(part, predicate))),
    );
    return others === 0;
  },

  async any(vector: RankVector, predicate) {
    const ones = await counted(ranks, vector, async ({ local }, part) =>
      Number(await local.any(part, predicate)),
    );
    return ones > 0;
  },
});

/** The sum of what ranks count. */
const counted = (
  ranks: Ranks,
  vector: RankVector,
  count: (step: Step, part: Vector) => Promise<number>,
): Promise<number> =>
  ranks.run(async (step) => {
    const part = await vector.part(step);
    const counts = await step.exchange.allgather(async () => Uint32Array.of(await count(step, part)));
    return counts.reduce((sum, [ofRank]) => sum + ofRank, 0);
  });

/** An element or a position; where there are no elements, what stands for that. */
function resultOf(type: ScalarType, operator: Operator, total: Total | undefined): number {
  if (!isLocating(operator))
    return total ? elementOf(type, total[0]) : elementOf(type, wordOf(type, operator.identity(type)));
  return total && total[1] !== noPosition ? total[1] : -1;
}

function foldedElements(
  type: ScalarType,
  operator: BinaryOperator,
  words: readonly Uint32Array[],
  init?: number,
): number {
  const elements = words.filter(({ length }) => length > 0).map(([word]) => elementOf(type, word));
  if (init !== undefined) elements.unshift(elementOf(type, wordOf(type, init)));
  if (elements.length === 0) return elementOf(type, wordOf(type, operator.identity(type)));
  return elements.reduce(combination(type, operator));
}
