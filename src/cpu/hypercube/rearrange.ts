/** Index maps applied to arrays of the host, in one pass. */

import { effectiveIndex, type IndexMap, isInvolution } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { noSource } from "../../kernel/hypercube/source-index.ts";
import { type IndexLoop, indexLoop } from "./index-loop.ts";
import { type RowPlan, rowPlan } from "./rows.ts";
import { type Words, wordsOf } from "./words.ts";

/** Indices that are computed at a time: they stay in the cache. */
const chunk = 1 << 14;

/** A map made ready for elements of so many bytes (1, 2, 4, 8 or 16), to be applied again and again. */
export interface HostRearrangement {
  /**
   * Writes what the map makes of `source` to `target`, which is another array, or the same one where the map exchanges elements
   * in pairs. Throws BadArgument for other lengths, or where the map cannot be done in place.
   */
  apply(source: ArrayBufferView, target: ArrayBufferView): void;
}

export function hostRearrangement(map: IndexMap, elementBytes: number): HostRearrangement {
  const { map: ofWords, words } = wordsOf(map, elementBytes);
  const inPairs = isInvolution(map);
  let plan: RowPlan | undefined | "none";
  let loop: IndexLoop | undefined;
  const indices = new Uint32Array(Math.min(chunk, countOf(ofWords.to)));
  const each = (step: (first: number, indices: Uint32Array) => void) => {
    loop ??= indexLoop(effectiveIndex(ofWords));
    const count = countOf(ofWords.to);
    for (let first = 0; first < count; first += indices.length) {
      const part = indices.subarray(0, Math.min(indices.length, count - first));
      loop(first, part);
      step(first, part);
    }
  };
  return {
    apply(source, target) {
      const [from, to] = [
        words(source, "source", countOf(map.from)),
        words(target, "target", countOf(map.to)),
      ];
      const isInPlace = from.buffer === to.buffer && from.byteOffset === to.byteOffset;
      if (isInPlace) {
        if (!inPairs) {
          throw badArgument(
            "The map cannot be done in place, since it does not exchange elements in pairs.",
            "Give it a target of its own.",
          );
        }
        each((first, part) => exchange(to, first, part));
        return;
      }
      plan ??= rowPlan(ofWords) ?? "none";
      if (plan !== "none") plan.apply(from, to);
      else each((first, part) => gather(from, to, first, part));
    },
  };
}

function gather(source: Words, target: Words, first: number, indices: Uint32Array): void {
  for (let i = 0; i < indices.length; i++) {
    const at = indices[i];
    target[first + i] = at === noSource ? 0 : source[at];
  }
}

function exchange(words: Words, first: number, indices: Uint32Array): void {
  for (let i = 0; i < indices.length; i++) {
    const [here, there] = [first + i, indices[i]];
    if (there <= here) continue;
    const held = words[here];
    words[here] = words[there];
    words[there] = held;
  }
}
