/** Kernel text that reads the neighbours of all sites of a word at once. */
import type { IndexMap } from "../../hypercube/index-map.ts";
import { mapOf } from "../../hypercube/operations.ts";
import { stridesOf } from "../../hypercube/shape.ts";
import { besideMaps } from "../axes.ts";
import type { Colour, Halves } from "./halves.ts";

const other = (colour: Colour): Colour => (colour === "black" ? "white" : "black");

/** Maps whence `previous` and `next` take the words beside a word in its row, `below_i` and `above_i` those along axis i. */
export function neighborMaps({ words }: Halves): Record<string, IndexMap> {
  const shifted = (by: number) => mapOf(words, [{ kind: "shift", axis: 0, by }]);
  return { previous: shifted(1), next: shifted(-1), ...besideMaps(words, 1) };
}

/** Statements that declare `used`, the bits of the word that are sites. */
export function usedText({ words: [perRow], lastBits }: Halves): string {
  const last = lastBits === 32 ? "0xffffffffu" : `${2 ** lastBits - 1}u`;
  return perRow === 1
    ? `let used = ${last};`
    : `let column = element % ${perRow}u;
let used = select(0xffffffffu, ${last}, column == ${perRow - 1}u);`;
}

/**
 * Statements that declare `own`, the word, and `neighbor_0` to `neighbor_(2d − 1)`, with the neighbours of its sites along each axis,
 * each where its site is in the word.
 */
export function neighborsText(halves: Halves, colour: Colour): string {
  const { words, bits: siteBits, lastBits } = halves;
  const [perRow] = words;
  const mask = `${2 ** siteBits - 1}u`;
  const others = other(colour);
  const rows = stridesOf(words)
    .slice(1)
    .map((stride) => `element / ${stride}u`);
  // Lengths are even, so that ⌊k / stride⌋ is as odd as the coordinate.
  const parity = `(${[...rows, colour === "black" ? "0u" : "1u"].join(" + ")}) & 1u`;
  const [bits, bitsBefore] =
    perRow === 1
      ? [`${lastBits}u`, `${lastBits}u`]
      : lastBits === 32
        ? ["32u", "32u"]
        : [`select(32u, ${lastBits}u, column == ${perRow - 1}u)`, `select(32u, ${lastBits}u, column == 0u)`];
  const along = words
    .slice(1)
    .flatMap((_, k) => [`below_${k + 1}`, `above_${k + 1}`])
    .map((name, k) => `let neighbor_${k + 2} = ${others}(${name}(element));`);
  return `${usedText(halves)}
let own = ${colour}();
let neighbor_0 = ${others}(element);
// Where x_0 is even the other neighbour is the site before in the half, else the one behind.
let is_odd = (${parity}) == 1u;
let beside = ${others}(select(previous(element), next(element), is_odd));
let neighbor_1 = select(
  (neighbor_0 << ${siteBits}u) | ((beside >> (${bitsBefore} - ${siteBits}u)) & ${mask}),
  (neighbor_0 >> ${siteBits}u) | ((beside & ${mask}) << (${bits} - ${siteBits}u)),
  is_odd,
);
${along.join("\n")}`;
}
