import type { ScalarType } from "../../../core/primitives/vector.ts";

/**
 * WGSL: whether keys differ from those before them, of words in one or four lanes. f32: as numbers, but compared by their
 * bits, since WGSL leaves comparisons with NaN to the device.
 */
export function keysDiffer(type: ScalarType, key: string, before: string, lanes: "u32" | "vec4u"): string {
  const differ = `(${key} != ${before})`;
  if (type !== "f32") return differ;
  const [magnitude, infinity, none] = ["0x7fffffffu", "0x7f800000u", "0u"].map((word) => `${lanes}(${word})`);
  const areZero = `(((${key} | ${before}) & ${magnitude}) == ${none})`;
  const isNan = `((${key} & ${magnitude}) > ${infinity})`;
  return `((${differ} & !${areZero}) | ${isNan})`;
}
