/** Kernel text for halves of a checkerboard with one site an element (`halvesOf(lengths, 32)`). */
import { stridesOf } from "../../hypercube/shape.ts";
import type { Halves } from "./halves.ts";

/** Names of the other half's elements that are neighbours of an element's site. */
export const nearNames = ({ lengths }: Halves): readonly string[] =>
  Array.from({ length: 2 * lengths.length }, (_, n) => `near_${n}`);

/** Statements that declare them, for sites of the colour `constants.step`; with the maps of `neighborMaps`. */
export function nearText({ words }: Halves): string {
  // Lengths are even, so that ⌊k / stride⌋ is as odd as the coordinate.
  const rows = stridesOf(words)
    .slice(1)
    .map((stride) => `element / ${stride}u + `);
  const along = words.slice(1).flatMap((_, k) => [`below_${k + 1}`, `above_${k + 1}`]);
  return `let near_0 = element;
let near_1 = select(previous(element), next(element), ((${rows.join("")}constants.step) & 1u) == 1u);
${along.map((name, k) => `let near_${k + 2} = ${name}(element);`).join("\n")}`;
}
