/** Passes that set what a brush reaches of the halves of a checkerboard. */
import { coordinatesText, insideText } from "../brush.ts";
import type { Pass } from "../model.ts";
import { type Colour, colours, type Halves } from "./halves.ts";

/** Statements that declare `reached`: the bits of a word of a colour's half whose sites the brush reaches. */
export function reachedText({ lengths, bits, words: [perRow] }: Halves, colour: Colour): string {
  const perWord = 32 / bits;
  const mask = bits === 32 ? "0xffffffffu" : `${2 ** bits - 1}u`;
  const parity = colours.indexOf(colour);
  const rows = lengths.slice(1).map((_, k) => `x_${k + 1}`);
  return `let row = element / ${perRow}u;
${coordinatesText("row", lengths.slice(1), 1)}
var reached = 0u;
for (var i = 0u; i < ${perWord}u; i++) {
  let slot = (element % ${perRow}u) * ${perWord}u + i;
  let x_0 = 2u * slot + ((${[`${parity}u`, ...rows].join(" + ")}) & 1u);
  let is_reached = slot < ${lengths[0] / 2}u && ${insideText(lengths)};
  reached |= select(0u, ${mask} << (${bits}u * i), is_reached);
}`;
}

/** A pass for each colour; `pattern` is an expression of a word all of whose sites have the value. */
export const brushPasses = (name: string, halves: Halves, pattern: string): readonly Pass[] =>
  colours.map((colour) => ({
    name,
    reads: { [colour]: "own" },
    writes: [colour],
    maps: {},
    text: `${reachedText(halves, colour)}
let pattern = ${pattern};
out.${colour} = (${colour}() & ~reached) | (pattern & reached);`,
  }));
