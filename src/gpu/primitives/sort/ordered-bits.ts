import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Fragment } from "../../shader/fragment.ts";

/** A key type as the kernels' parameter. */
export const typeNumbers: Readonly<Record<ScalarType, number>> = { u32: 0, i32: 1, f32: 2 };

/**
 * Keys as words whose unsigned order is the keys': i32 with the sign turned; f32 with the sign turned where it is
 * positive and every bit where it is negative. Every NaN becomes the greatest word, so that NaN come last and equal.
 */
export const orderedBits: Fragment = {
  name: "ordered bits",
  code: /* wgsl */ `
const not_a_number = 0x7fc00000u;

fn to_ordered(word: u32, key_type: u32) -> u32 {
  if (key_type == 0u) {
    return word;
  }
  let sign = 0x80000000u;
  if (key_type == 1u) {
    return word ^ sign;
  }
  let turned = word ^ select(sign, 0xffffffffu, word >= sign);
  return select(turned, 0xffffffffu, (word & 0x7fffffffu) > 0x7f800000u);
}

fn from_ordered(word: u32, key_type: u32) -> u32 {
  if (key_type == 0u) {
    return word;
  }
  let sign = 0x80000000u;
  if (key_type == 1u) {
    return word ^ sign;
  }
  let turned = word ^ select(0xffffffffu, sign, word >= sign);
  return select(turned, not_a_number, word == 0xffffffffu);
}
`,
};
