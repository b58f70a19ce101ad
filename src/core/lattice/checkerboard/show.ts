/** Kernel text that has a site's bits from the halves of a checkerboard. */
import { stridesOf } from "../../hypercube/shape.ts";
import type { FieldsPass } from "../model.ts";
import type { Halves } from "./halves.ts";

/** A pass over the sites that sets each field by an expression of `bits`, the bits of the site as u32. */
export function showPass(
  name: string,
  { lengths, bits, words: [perRow] }: Halves,
  fields: Readonly<Record<string, string>>,
): FieldsPass {
  const [width] = lengths;
  const perWord = 32 / bits;
  const rows = stridesOf(lengths)
    .slice(1)
    .map((stride) => `element / ${stride}u`);
  const mask = bits === 32 ? "0xffffffffu" : `${2 ** bits - 1}u`;
  return {
    name,
    reads: { black: "all", white: "all" },
    maps: {},
    text: `let x = element % ${width}u;
// Lengths are even, so that ⌊k / stride⌋ is as odd as the coordinate.
let colour = (${["x", ...rows].join(" + ")}) & 1u;
let slot = x >> 1u;
let word = (element / ${width}u) * ${perRow}u + slot / ${perWord}u;
let bits = (select(black(word), white(word), colour == 1u) >> (${bits}u * (slot % ${perWord}u))) & ${mask};
${Object.entries(fields)
  .map(([field, value]) => `out.${field} = ${value};`)
  .join("\n")}`,
  };
}
