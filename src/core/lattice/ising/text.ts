/** Kernel text of Ising models, for the 32 spins of a word at once. */

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
