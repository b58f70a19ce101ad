/**
 * Sites of a checkerboard, some bits each: the sites of either colour lie in an array of their own, a lattice crinkled by 2 along axis 0
 * (seed 002, §9, where a row's colour changes halves from row to row).
 *
 * A site has the colour (Σ x_i) mod 2, and 0 is black. Of s sites in a word, site j mod s of word ⌊j / s⌋ of row r is the one of
 * the array's colour at ⌊x_0 / 2⌋ = j, its bits the higher the larger j is; rows are numbered by x_1, x_2, …, x_1 the fastest. Bits
 * beyond a row's end are 0.
 */
import { checkLengths, countOf, printShape } from "../../hypercube/shape.ts";
import { badArgument } from "../../primitives/checks.ts";
import type { LatticeArrays } from "../model.ts";

export const colours = ["black", "white"] as const;
export type Colour = (typeof colours)[number];

export interface Halves {
  readonly lengths: readonly number[];
  /** Bits of a site: a power of two. */
  readonly bits: number;
  /** Lengths of an array of words: words of a row, then x_1, x_2, … */
  readonly words: readonly number[];
  /** Bits that are used of a row's last word. */
  readonly lastBits: number;
}

/** Throws BadArgument unless all lengths are even, so that no two neighbours have one colour across a border. */
export function halvesOf(lengths: readonly number[], bits: number): Halves {
  checkLengths(lengths);
  const axis = lengths.findIndex((length) => length % 2 === 1);
  if (axis >= 0) {
    throw badArgument(
      `The lattice ${printShape({ lengths })} has an odd length along axis ${axis}, so that neighbours across its border would have one colour of the checkerboard.`,
      "Give it even lengths.",
    );
  }
  const [width, ...rows] = lengths;
  const sites = width / 2;
  const perWord = 32 / bits;
  const perRow = Math.ceil(sites / perWord);
  return { lengths, bits, words: [perRow, ...rows], lastBits: bits * (sites - perWord * (perRow - 1)) };
}

/** The bits of each site as a value, in the lattice's own order. */
export function sitesOf(
  { lengths, bits, words: [perRow] }: Halves,
  arrays: LatticeArrays,
  toValue: (bits: number) => number,
): Int8Array<ArrayBuffer> {
  const [width, ...rows] = lengths;
  const halves = colours.map((colour) => arrays[colour]);
  const perWord = 32 / bits;
  const mask = 2 ** bits - 1;
  const values = new Int8Array(countOf(lengths));
  for (let row = 0, at = 0; at < values.length; row++) {
    const first = perRow * row;
    const parity = rowParity(rows, row);
    for (let x = 0; x < width; x++, at++) {
      const j = x >> 1;
      const word = halves[(x + parity) & 1][first + Math.floor(j / perWord)];
      values[at] = toValue((word >>> (bits * (j % perWord))) & mask);
    }
  }
  return values;
}

/** Σ x_i mod 2 over the axes but the first. */
function rowParity(rows: readonly number[], row: number): number {
  let [rest, parity] = [row, 0];
  for (const length of rows) {
    parity ^= rest & 1;
    rest = Math.floor(rest / length);
  }
  return parity & 1;
}
