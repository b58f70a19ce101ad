import type { ElementwiseBackend } from "../core/primitives/backend.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Ranks } from "./step.ts";
import { type RankVector, vectorOf } from "./vector.ts";
import { alignedPart } from "./window.ts";

/** What is made an element at a time, where the elements are: of several vectors, where the first one's are. */
export const distributedElementwise = (ranks: Ranks): ElementwiseBackend => ({
  copy: <T extends ScalarType>(vector: RankVector<T>) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const copy = await step.exchange.together(() => step.local.copy(part));
      return vectorOf(step, copy, vector.offsets);
    }),

  transform: (vector: RankVector, f, type) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const values = await step.exchange.together(() => step.local.transform(part, f, type));
      return vectorOf(step, values, vector.offsets);
    }),

  zip: (vectors: readonly RankVector[], f, type) =>
    ranks.run(async (step) => {
      const [{ offsets }] = vectors;
      const parts: Vector[] = [];
      for (const vector of vectors) parts.push(await alignedPart(step, vector, offsets));
      const values = await step.exchange.together(() => step.local.zip(parts, f, type));
      return vectorOf(step, values, offsets);
    }),
});
