import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Fragment } from "../../shader/fragment.ts";

const keys: Readonly<Record<ScalarType, string>> = {
  u32: "return word;",
  i32: "return word ^ 0x80000000u;",
  f32: `let magnitude = word & 0x7fffffffu;
  let key = select(word | 0x80000000u, ~word, word > 0x80000000u);
  return select(key, 0xffffffffu, magnitude > 0x7f800000u);`,
};

/**
 * `order_key(word)`: elements as u32 that compare as the elements do as numbers. −0 equals +0; every NaN is the
 * greatest key; subnormal f32 keep their places, which comparisons of f32 do not promise.
 */
export function orderKey(type: ScalarType): Fragment {
  return { name: `order of ${type}`, code: `fn order_key(word: u32) -> u32 {\n  ${keys[type]}\n}` };
}

/** Types as the parameter of `order_key_of(word, type_number)`, for kernels that serve every type. */
export const typeNumbers: Readonly<Record<ScalarType, number>> = { u32: 0, i32: 1, f32: 2 };

export const orderKeyOf: Fragment = {
  name: "order of any type",
  code: `fn order_key_of(word: u32, type_number: u32) -> u32 {
  if (type_number == 0u) { ${keys.u32} }
  if (type_number == 1u) { ${keys.i32} }
  ${keys.f32}
}`,
};
