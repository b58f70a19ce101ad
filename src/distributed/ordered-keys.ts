import type { SortOptions } from "../core/primitives/primitives.ts";
import type { ScalarType } from "../core/primitives/vector.ts";

/** Keys, as words, as numbers that ascend as a sort shall have them: −0 before +0, every NaN last and equal. */
export function keyOrder(
  type: ScalarType,
  { descending = false, bits: [from, to] = [0, 32] }: SortOptions = {},
): (word: number) => number {
  if (from === to) return () => 0;
  const mask = to - from === 32 ? 0xffffffff : 2 ** (to - from) - 1;
  return (word) => {
    const ascending = orderedKey(type, word);
    return (((descending ? ~ascending : ascending) >>> from) & mask) >>> 0;
  };
}

function orderedKey(type: ScalarType, word: number): number {
  if (type === "u32") return word;
  if (type === "i32") return word ^ 0x80000000;
  if ((word & 0x7fffffff) > 0x7f800000) return 0xffffffff;
  return word >>> 31 ? ~word : word | 0x80000000;
}
