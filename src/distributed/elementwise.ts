import type { ElementwiseBackend } from "../core/primitives/backend.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Ranks } from "./step.ts";
import { madeAlone, type RankVector, unconfirmed } from "./vector.ts";
import { alignedPart } from "./window.ts";

/** What is made an element at a time, where the elements are: of several vectors, where the first one's are. */
export const distributedElementwise = (ranks: Ranks): ElementwiseBackend => ({
  copy: <T extends ScalarType>(vector: RankVector<T>) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      return madeAlone(step, vector, vector.offsets, () => step.local.copy(part));
    }),

  transform: (vector: RankVector, f, type) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const values = await ranks.apply(f, `${vector.type} ${type}`, () =>
        step.local.transform(part, f, type),
      );
      return unconfirmed(step, { type, components: 1 }, vector.offsets, values);
    }),

  zip: (vectors: readonly RankVector[], f, type) =>
    ranks.run(async (step) => {
      const [{ offsets }] = vectors;
      const parts: Vector[] = [];
      for (const vector of vectors) parts.push(await alignedPart(step, vector, offsets));
      const types = [...vectors, { type }].map((one) => one.type).join(" ");
      const values = await ranks.apply(f, types, () => step.local.zip(parts, f, type));
      return unconfirmed(step, { type, components: 1 }, offsets, values);
    }),
});
