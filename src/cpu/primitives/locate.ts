import type { LocatingOperator } from "../../core/primitives/functions.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { keyOf } from "./functions.ts";
import { newWords } from "./vector.ts";

export interface Locate {
  readonly type: ScalarType;
  readonly operator: LocatingOperator;
  /** An element beyond the last position. */
  readonly init?: number;
}

export interface LocatingScan extends Locate {
  readonly exclusive: boolean;
  readonly reverse?: boolean;
}

/** Takes elements in any order, and knows where the best so far is. */
function locator({ type, operator, init }: Locate): (words: HostArray, i: number) => number {
  const keyFor = keyOf(type, operator);
  let position = operator.identity;
  let least = init === undefined ? Number.NaN : keyFor(newWords(type, 1).fill(init)[0]);
  return (words, i) => {
    const key = keyFor(words[i]);
    if (key < least || (key === least && i < position) || (Number.isNaN(least) && !Number.isNaN(key))) {
      [least, position] = [key, i];
    }
    return position;
  };
}

/** The position that is found in words[from, to). */
export function locateWords(words: HostArray, from: number, to: number, locate: Locate): number {
  const take = locator(locate);
  let position = locate.operator.identity;
  for (let i = from; i < to; i++) position = take(words, i);
  return position;
}

/** The position in all words, −1 where nothing is found. */
export function positionIn(words: HostArray, locate: Locate): number {
  const position = locateWords(words, 0, words.length, locate);
  return position === locate.operator.identity ? -1 : position;
}

/** Scans words[from, to) as one segment, into the same places of `positions`. */
export function scanPositions(
  positions: Uint32Array,
  words: HostArray,
  from: number,
  to: number,
  scan: LocatingScan,
): void {
  const { exclusive, reverse = false, operator } = scan;
  const take = locator(scan);
  let before = operator.identity;
  for (let k = 0; k < to - from; k++) {
    const i = reverse ? to - 1 - k : from + k;
    const through = take(words, i);
    positions[i] = exclusive ? before : through;
    before = through;
  }
}
