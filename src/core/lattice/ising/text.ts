/** Kernel text of Ising models, for the 32 spins of a word at once. */
import type { IndexMap } from "../../hypercube/index-map.ts";
import { mapOf } from "../../hypercube/operations.ts";
import { stridesOf } from "../../hypercube/shape.ts";
import type { Colour, Halves } from "./halves.ts";

const other = (colour: Colour): Colour => (colour === "black" ? "white" : "black");

/** Maps whence `previous` and `next` take the words beside a word in its row, `below_i` and `above_i` those along axis i. */
export function neighborMaps({ words }: Halves): Record<string, IndexMap> {
  const shifted = (axis: number, by: number) => mapOf(words, [{ kind: "shift", axis, by }]);
  const maps: Record<string, IndexMap> = { previous: shifted(0, 1), next: shifted(0, -1) };
  for (let axis = 1; axis < words.length; axis++) {
    maps[`below_${axis}`] = shifted(axis, 1);
    maps[`above_${axis}`] = shifted(axis, -1);
  }
  return maps;
}

/** Statements that declare `used`, the bits of the word that are sites, and whether it is the first or last of its row. */
function bitsText({ words: [perRow], lastBits }: Halves): string {
  const last = lastBits === 32 ? "0xffffffffu" : `${2 ** lastBits - 1}u`;
  return perRow === 1
    ? `let used = ${last};`
    : `let column = element % ${perRow}u;
let used = select(0xffffffffu, ${last}, column == ${perRow - 1}u);`;
}

/**
 * Statements that declare `own`, the word, and `neighbor_0` to `neighbor_(2d − 1)`, whose bits are the neighbours of its sites along
 * each axis. All are of the other colour, and in the same place of their word but for one of the two along the row.
 */
export function neighborsText(halves: Halves, colour: Colour): string {
  const { words, lastBits } = halves;
  const [perRow] = words;
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
  return `${bitsText(halves)}
let own = ${colour}();
let neighbor_0 = ${others}(element);
// Where x_0 is even the other neighbour is the bit before, else the bit behind.
let is_odd = (${parity}) == 1u;
let beside = ${others}(select(previous(element), next(element), is_odd));
let neighbor_1 = select(
  (neighbor_0 << 1u) | ((beside >> (${bitsBefore} - 1u)) & 1u),
  (neighbor_0 >> 1u) | ((beside & 1u) << (${bits} - 1u)),
  is_odd,
);
${along.join("\n")}`;
}

/** Statements that add words bit by bit: bit k of the sums is the variable `count_k`. */
export function countText(words: readonly string[]): string {
  const planes = planeCount(words.length);
  const lines = Array.from({ length: planes }, (_, k) => `var count_${k} = 0u;`);
  for (const [n, word] of words.entries()) {
    lines.push(`var carry_${n} = ${word};`);
    const reached = planeCount(n + 1);
    for (let k = 0; k < reached; k++) {
      if (k === reached - 1) {
        lines.push(`count_${k} ^= carry_${n};`);
        continue;
      }
      lines.push(
        `let sum_${n}_${k} = count_${k} ^ carry_${n};`,
        `carry_${n} &= count_${k};`,
        `count_${k} = sum_${n}_${k};`,
      );
    }
  }
  return lines.join("\n");
}

/** Bits of a sum of so many bits. */
const planeCount = (words: number): number => Math.floor(Math.log2(words)) + 1;

/** An expression of the bits whose sum of `words` bits, as `countText` has it, is `value`. */
export const hasCount = (words: number, value: number): string =>
  Array.from({ length: planeCount(words) }, (_, k) => ((value >> k) & 1 ? `count_${k}` : `~count_${k}`)).join(
    " & ",
  );

/** Blocks of random numbers that decide about a word's 32 sites at most, and those after which 8 of 9 words are decided. */
export const blocks = { all: 8, first: 2 } as const;

/**
 * The function `draw(asked, case_0, …, first_block, from, to)`: for each bit of `asked`, whether a uniform number of 32 bits is below
 * the threshold of the bit's case; the words `case_i` have the bits of case i. The result's x has the bits that are not decided after the blocks
 * from `from` to `to`, its y those that are below. A number's bits come from the highest on, four from a block of Philox, whose
 * words serve 32 sites: drawing ends where all are decided.
 */
export function drawText(cases: number, stream: number): string {
  const names = Array.from({ length: cases }, (_, i) => i);
  return `
fn draw(asked: u32, ${names.map((i) => `case_${i}: u32`).join(", ")}, first_block: u32, from_block: u32, to_block: u32) -> vec2u {
  var open = asked;
  var below = 0u;
  for (var block = from_block; block < to_block; block++) {
    if (open == 0u) { break; }
    let random = philox(vec4u(element, constants.sweep, first_block + block, ${stream}u), constants.seed);
${["x", "y", "z", "w"]
  .map(
    (word, k) => `    let bits_${k} = ${names
      .map((i) => `(case_${i} & (0u - ((constants.thresholds[${i}] >> (31u - 4u * block - ${k}u)) & 1u)))`)
      .join(" | ")};
    below |= open & bits_${k} & ~random.${word};
    open &= ~(bits_${k} ^ random.${word});`,
  )
  .join("\n")}
  }
  return vec2u(open, below);
}`;
}
