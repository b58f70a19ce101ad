import type { ScalarType } from "../../../core/primitives/vector.ts";
import { fromWord } from "../base/operator-wgsl.ts";

/** The runs of a chunk among those of all. */
export interface PieceRuns {
  readonly count: number;
  /** Of its first run. */
  readonly place: number;
  /** Whether that is the last one of the chunk before, too. */
  readonly continues: boolean;
}

/** Where chunks' runs go: from the numbers of runs of all, then their first keys, then their last ones, as words. */
export function placesOfRuns(type: ScalarType, words: Uint32Array): readonly PieceRuns[] {
  const chunks = words.length / 3;
  const key = (place: number) => fromWord(type, words[place]);
  let end = 0;
  return Array.from({ length: chunks }, (_, k) => {
    const count = words[k];
    const continues = k > 0 && key(2 * chunks + k - 1) === key(chunks + k);
    const place = end - Number(continues);
    end = place + count;
    return { count, place, continues };
  });
}
