import type { CompactionBackend } from "../../core/primitives/backend.ts";
import type { Predicate } from "../../core/primitives/functions.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { test } from "./functions.ts";
import { gatheredWords, selectedPositions } from "./move.ts";
import { type CpuSegments, eachSegment, isHeadOf } from "./segments.ts";
import { type CpuVector, type NewVector, newWords } from "./vector.ts";

type CpuSelection = { readonly where: Predicate } | { readonly stencil: CpuVector<"u32"> };

/** What moves elements by selection and by segment. */
export function cpuCompaction(newVector: NewVector): CompactionBackend {
  const through = <T extends ScalarType>(map: Uint32Array, { type, words, components }: CpuVector<T>) =>
    newVector(type, gatheredWords(type, map, words(), components), components);
  return {
    compact<T extends ScalarType>(
      vector: CpuVector<T>,
      selection: CpuSelection,
      keeps: "selected" | "rejected",
    ) {
      const selects = selector(vector, selection);
      const isKept = keeps === "selected" ? selects : (i: number) => !selects(i);
      return through(selectedPositions(vector.length, isKept).map, vector);
    },

    partition<T extends ScalarType>(vector: CpuVector<T>, selection: CpuSelection) {
      const { map, selected } = selectedPositions(vector.length, selector(vector, selection), true);
      return { vector: through(map, vector), selected };
    },

    segmentedSplit<T extends ScalarType>(
      vector: CpuVector<T>,
      flags: CpuVector<"u32">,
      segments: CpuSegments,
    ) {
      const flagged = flags.words();
      const map = newWords("u32", vector.length);
      eachSegment(vector.length, isHeadOf(segments), (from, to) => {
        let next = from;
        for (let i = from; i < to; i++) if (flagged[i] === 0) map[next++] = i;
        for (let i = from; i < to; i++) if (flagged[i] !== 0) map[next++] = i;
      });
      return through(map, vector);
    },
  };
}

function selector(vector: CpuVector, selection: CpuSelection): (i: number) => boolean {
  if ("where" in selection) {
    const words = vector.words();
    const isSelected = test(selection.where, vector.type);
    return (i) => isSelected(words[i]);
  }
  const flags = selection.stencil.words();
  return (i) => flags[i] !== 0;
}
