import type { ConstantValues } from "../../../core/primitives/access.ts";
import { type Signature, type Slot, valuesOf } from "../../../core/primitives/kernel.ts";
import { toWord } from "../base/operator-wgsl.ts";

/** Words that a constant takes. */
const constantWords = 4;

/** WGSL of a slot's type. */
export const typeOf = ({ type, components = 1 }: Slot) =>
  components === 1 ? type : `vec${components}<${type}>`;

/** Constants as words, each from a multiple of 16 bytes. */
export function constantsOf({ constants }: Signature, values: ConstantValues): readonly number[] {
  const words: number[] = [];
  for (const name in constants) {
    for (const value of valuesOf(values, name)) words.push(toWord(constants[name].type, value));
    while (words.length % constantWords !== 0) words.push(0);
  }
  return words;
}
