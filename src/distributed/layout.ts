import type { VectorsBackend } from "../core/primitives/backend.ts";
import { checkHeld } from "../core/primitives/checked/operands.ts";
import { badArgument, checkComponents, checkSameLength } from "../core/primitives/checks.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Layouts, Offsets, Shares } from "./api.ts";
import { evenOffsets, lengthsOf, rangesOf, weightedOffsets } from "./offsets.ts";
import { measuredSpeeds } from "./speeds.ts";
import type { Ranks, Step } from "./step.ts";
import { collected, madeAlone, type RankVector } from "./vector.ts";
import { windowOf } from "./window.ts";

export function distributedLayouts(ranks: Ranks, backend: VectorsBackend): Layouts {
  const held = <T extends ScalarType>(what: string, vector: Vector<T>, name = "vector") => {
    checkHeld(backend, what, name, vector);
    return vector as RankVector<T>;
  };
  /** Where parts are to begin; throws what is wrong with the shares. */
  function division(vector: RankVector, shares?: Shares): (step: Step) => Promise<Offsets> | Offsets {
    const { length, offsets } = vector;
    if (!shares) return () => evenOffsets(length, ranks.size);
    if ("like" in shares) {
      const { like } = shares;
      const { offsets: wanted } = held("rebalance", like, "like");
      checkSameLength("rebalance", { vector, like });
      return () => wanted;
    }
    if ("by" in shares)
      return async (step) => weightedOffsets(length, await measuredSpeeds(step, lengthsOf(offsets)));
    checkWeights(shares, ranks.size);
    return () => weightedOffsets(length, shares);
  }
  return {
    offsets: (vector) => held("offsets", vector).offsets,

    async fromParts(type, part, components = 1) {
      return ranks.run((step) =>
        collected(step, async () => {
          checkComponents("fromParts", part.length, components);
          return step.local.fromHost(type, part, components);
        }),
      );
    },

    async localPart(vector) {
      const own = held("localPart", vector);
      return ranks.run(async (step) => {
        const part = await own.part(step);
        for (const memory of own.memories) memory.isHandedOut = true;
        return step.exchange.together(() =>
          own.isWritable ? step.local.view(part, 0, part.length) : step.local.copy(part),
        );
      });
    },

    async rebalance(vector, shares) {
      const own = held("rebalance", vector);
      const divide = division(own, shares);
      return ranks.run(async (step) => {
        const offsets = await divide(step);
        const part = await windowOf(step, own, rangesOf(offsets));
        return madeAlone(step, own, offsets, () => step.local.copy(part));
      });
    },

    async shift(vector, d) {
      const own = held("shift", vector);
      if (!Number.isSafeInteger(d)) {
        throw badArgument(`shift was asked to move elements by ${d}.`, "Give it a whole number.");
      }
      const { offsets, length } = own;
      const by = Math.max(-length, Math.min(length, d));
      return ranks.run(async (step) => {
        const ranges = rangesOf(offsets).map(({ from, to }) => ({ from: from - by, to: to - by }));
        const part = await windowOf(step, own, ranges);
        return madeAlone(step, own, offsets, () => step.local.copy(part));
      });
    },
  };
}

function checkWeights(weights: readonly number[], size: number): void {
  const isFine =
    weights.length === size &&
    weights.every((weight) => Number.isFinite(weight) && weight >= 0) &&
    weights.some((weight) => weight > 0);
  if (isFine) return;
  throw badArgument(
    `rebalance was given the weights ${weights.join(", ")} for ${size} ranks.`,
    "Give it a number of at least 0 for each rank, not all of them 0.",
  );
}
