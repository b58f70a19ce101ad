/** Kernel text that has a site's bits from the halves of a checkerboard. */
import { stridesOf } from "../../hypercube/shape.ts";
import type { FieldsPass } from "../model.ts";
import type { Halves } from "./halves.ts";

/** Statements that declare `colour`, 0 or 1, of a site, `slot`, its number in its row of the half, and `word`, the word that it is in. */
export function siteText({ lengths, bits, words: [perRow] }: Halves): string {
  const [width] = lengths;
  const rows = stridesOf(lengths)
    .slice(1)
    .map((stride) => `element / ${stride}u`);
  return `let x = element % ${width}u;
// Lengths are even, so that ⌊k / stride⌋ is as odd as the coordinate.
let colour = (${["x", ...rows].join(" + ")}) & 1u;
let slot = x >> 1u;
let word = (element / ${width}u) * ${perRow}u + slot / ${32 / bits}u;`;
}

/** A pass over the sites that sets each field by an expression of `bits`, the bits of the site as u32. */
export function showPass(name: string, halves: Halves, fields: Readonly<Record<string, string>>): FieldsPass {
  const { bits } = halves;
  return {
    name,
    reads: { black: "all", white: "all" },
    maps: {},
    text: `${siteText(halves)}
let bits = (select(black(word), white(word), colour == 1u) >> (${bits}u * (slot % ${32 / bits}u))) & ${2 ** bits - 1}u;
${Object.entries(fields)
  .map(([field, value]) => `out.${field} = ${value};`)
  .join("\n")}`,
  };
}
