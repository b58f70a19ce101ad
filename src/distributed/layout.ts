import type { VectorsBackend } from "../core/primitives/backend.ts";
import { checkHeld } from "../core/primitives/checked/operands.ts";
import { badArgument, checkComponents } from "../core/primitives/checks.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";
import { evenOffsets, type Offsets, rangesOf, weightedOffsets } from "./offsets.ts";
import type { Ranks } from "./step.ts";
import { collected, type DistributedVector, madeAlone, type RankVector } from "./vector.ts";
import { windowOf } from "./window.ts";

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
  /** A copy in parts whose lengths are proportional to the weights, one for each rank; in even ones where they are left out. */
  rebalance<T extends ScalarType>(
    vector: Vector<T>,
    weights?: readonly number[],
  ): Promise<DistributedVector<T>>;
  /** Element i is element i − d of the vector, 0 where there is none. */
  shift<T extends ScalarType>(vector: Vector<T>, d: number): Promise<DistributedVector<T>>;
}

export function distributedLayouts(ranks: Ranks, backend: VectorsBackend): Layouts {
  const held = <T extends ScalarType>(what: string, vector: Vector<T>) => {
    checkHeld(backend, what, "vector", vector);
    return vector as RankVector<T>;
  };
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

    async rebalance(vector, weights) {
      const own = held("rebalance", vector);
      checkWeights(weights, ranks.size);
      const offsets = weights
        ? weightedOffsets(vector.length, weights)
        : evenOffsets(vector.length, ranks.size);
      return ranks.run(async (step) => {
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

function checkWeights(weights: readonly number[] | undefined, size: number): void {
  if (!weights) return;
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
