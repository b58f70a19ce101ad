import type { MovementBackend } from "../../core/primitives/backend.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { checkIndexRange, gatheredWords, scatterWords } from "./move.ts";
import type { CpuVector, NewVector } from "./vector.ts";

/** What moves elements through maps. */
export const cpuDataMovement = (newVector: NewVector): MovementBackend => ({
  isWritable: (vector: CpuVector) => vector.isWritable,
  readsMemoryOf: (vector: CpuVector, target: CpuVector) => vector.memories.includes(target.memories[0]),

  gather<T extends ScalarType>(map: CpuVector<"u32">, source: CpuVector<T>, isChecked: boolean) {
    const indices = map.words();
    if (isChecked) checkIndexRange("gather", indices, source.length);
    const { type, components } = source;
    return newVector(type, gatheredWords(type, indices, source.words(), components), components);
  },

  gatherIf<T extends ScalarType>(
    map: CpuVector<"u32">,
    stencil: CpuVector<"u32">,
    source: CpuVector<T>,
    fallback: CpuVector<T>,
    isChecked: boolean,
  ) {
    const [indices, chosen] = [map.words(), stencil.words()];
    if (isChecked) checkIndexRange("gatherIf", indices, source.length, chosen);
    const { type, components } = source;
    const words = gatheredWords(type, indices, source.words(), components);
    const elsewhere = fallback.words();
    for (let w = 0; w < words.length; w++) {
      if (chosen[Math.floor(w / components)] === 0) words[w] = elsewhere[w];
    }
    return newVector(type, words, components);
  },

  scatter<T extends ScalarType>(
    source: CpuVector<T>,
    map: CpuVector<"u32">,
    target: CpuVector<T>,
    isChecked: boolean,
    stencil?: CpuVector<"u32">,
  ) {
    const [indices, chosen] = [map.words(), stencil?.words()];
    if (isChecked) {
      checkIndexRange(stencil ? "scatterIf" : "scatter", indices, target.length, chosen);
    }
    scatterWords(source.words(), indices, target.words(), target.components, chosen);
  },
});
