import type { MovementBackend } from "../core/primitives/backend.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { gathered } from "./gather.ts";
import { scatterInto } from "./scatter.ts";
import type { Ranks } from "./step.ts";
import type { RankVector } from "./vector.ts";

/** What moves elements through maps. */
export const distributedMovement = (ranks: Ranks): MovementBackend => ({
  isWritable: (vector: RankVector) => vector.isWritable,
  readsMemoryOf: (vector: RankVector, target: RankVector) => vector.memories.includes(target.memories[0]),

  gather: <T extends ScalarType>(map: RankVector<"u32">, source: RankVector<T>, isChecked: boolean) =>
    ranks.run((step) => gathered(step, "gather", map, source, { isChecked })),

  gatherIf: <T extends ScalarType>(
    map: RankVector<"u32">,
    stencil: RankVector<"u32">,
    source: RankVector<T>,
    fallback: RankVector<T>,
    isChecked: boolean,
  ) =>
    ranks.run((step) =>
      gathered(step, "gatherIf", map, source, { isChecked, unless: { stencil, fallback } }),
    ),

  scatter: <T extends ScalarType>(
    source: RankVector<T>,
    map: RankVector<"u32">,
    target: RankVector<T>,
    isChecked: boolean,
    stencil?: RankVector<"u32">,
  ) => ranks.run((step) => scatterInto(step, source, map, target, { isChecked, stencil })),
});
