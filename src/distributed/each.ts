import type { EachBackend, ForEachBackend } from "../core/primitives/backend.ts";
import { add } from "../core/primitives/operators.ts";
import type { Reduction } from "../core/primitives/reduction.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { combination } from "../kernel/element-functions.ts";
import { type RankArguments, rankPart, reachesOf } from "./each-inputs.ts";
import { summed } from "./histograms.ts";
import type { Ranks } from "./step.ts";
import { checkOperator } from "./totals.ts";
import { type RankVector, unconfirmed } from "./vector.ts";
import { elementOf, wordOf } from "./words.ts";

/** What runs functions of elements: each rank for its part of the results. */
export const distributedEach = (ranks: Ranks): EachBackend & ForEachBackend => ({
  async forEach(count, kernel, given: RankArguments) {
    const reaches = reachesOf(kernel, given);
    return ranks.run(async (step) => {
      const part = await rankPart(step, count, kernel, reaches, given);
      const made = await ranks.apply(kernel, "", () => step.local.forEach(part.count, kernel, part.given));
      return Object.fromEntries(
        Object.entries(kernel.outputs).map(([name, { type, components = 1 }]): [string, RankVector] => [
          name,
          unconfirmed(step, { type, components }, part.offsets, made?.[name]),
        ]),
      );
    });
  },

  async reduceEach(count, reduction, given: RankArguments) {
    const reaches = reachesOf(reduction, given);
    for (const { type, operator } of Object.values(reduction.terms)) checkOperator(type, operator);
    return ranks.run(async (step) => {
      const part = await rankPart(step, count, reduction, reaches, given);
      const words = await step.exchange.allgather(async () => {
        if (part.count === 0) return new Uint32Array(0);
        const totals = await step.local.reduceEach(part.count, reduction, part.given);
        const numbers = Object.keys(reduction.terms).map((name) => totals[name]);
        return new Uint32Array(Float64Array.from(numbers).buffer);
      });
      return foldedTotals(
        reduction,
        words.filter(({ length }) => length > 0).map((ofRank) => new Float64Array(ofRank.slice().buffer)),
      );
    });
  },

  async countEach(count, tally, bins, given: RankArguments) {
    const reaches = reachesOf(tally, given);
    return ranks.run(async (step) => {
      const part = await rankPart(step, count, tally, reaches, given);
      return summed(step, bins, () => step.local.countEach(part.count, tally, bins, part.given));
    });
  },
});

/** Totals of ranks in their order, by the terms' operators. Sums of f32 keep the digits that they have. */
function foldedTotals(
  { terms }: Reduction,
  totals: readonly Float64Array[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(terms).map(([name, { type, operator }], k) => {
      const isSum = type === "f32" && operator === add;
      const combine = isSum ? (a: number, b: number) => a + b : combination(type, operator);
      const numbers = totals.map((ofRank) => ofRank[k]);
      return [
        name,
        numbers.length > 0
          ? numbers.reduce((a, b) => combine(a, b))
          : identity(type, operator.identity(type)),
      ];
    }),
  );
}

/** The number as an element of the type. */
const identity = (type: ScalarType, x: number): number => elementOf(type, wordOf(type, x));
