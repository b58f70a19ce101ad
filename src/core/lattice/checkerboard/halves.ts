/**
 * Sites of a checkerboard, some bits each: the sites of either colour lie in an array of their own, a lattice crinkled by 2 along axis 0
 * (seed 002, §9, where a row's colour changes halves from row to row).
 *
 * A site has the colour (Σ x_i) mod 2, and 0 is black. Of s sites in a word, site j mod s of word ⌊j / s⌋ of row r is the one of
 * the array's colour at ⌊x_0 / 2⌋ = j, its bits the higher the larger j is; rows are numbered by x_1, x_2, …, x_1 the fastest. Bits
 * beyond a row's end are 0.
 */
import { checkLengths, printShape } from "../../hypercube/shape.ts";
import { badArgument } from "../../primitives/checks.ts";

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

/** The arrays of both colours. */
export const halfArrays = { black: "u32", white: "u32" } as const;
