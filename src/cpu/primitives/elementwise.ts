import type { ElementwiseBackend } from "../../core/primitives/backend.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { transformed, zipped } from "./functions.ts";
import { type CpuVector, type NewVector, ownWords } from "./vector.ts";

/** What is made an element at a time. */
export const cpuElementwise = (newVector: NewVector): ElementwiseBackend => ({
  copy: <T extends ScalarType>(vector: CpuVector<T>) =>
    newVector(vector.type, ownWords(vector), vector.components),
  transform: (vector: CpuVector, f, type) => newVector(type, transformed(type, f, vector.words())),
  zip(vectors: readonly CpuVector[], f, type) {
    const sources = vectors.map((vector) => vector.words());
    return newVector(type, zipped(type, f, sources));
  },
});
