/** Indices of arrays whose lengths are powers of two, by bit operations (seed 002, §5 and §6.2). All numbers are u32. */
import { badArgument } from "../primitives/checks.ts";
import { checkLengths, printShape } from "./shape.ts";

export const isPowerOfTwo = (n: number): boolean => n >= 1 && Number.isInteger(Math.log2(n));

/** Where each axis has its bits in an index. */
export interface BitLayout {
  /** bits_i = log₂ L_i */
  readonly bits: readonly number[];
  /** offset_i = Σ bits_j over j < i (equation 11) */
  readonly offsets: readonly number[];
  /** mask_i = (L_i − 1) << offset_i (equation 12) */
  readonly masks: readonly number[];
  /** inverse_i = (N − 1) − mask_i (equation 15; of three axes of 16 the first mask is 0x00F, not the 0c00F of its example) */
  readonly inverses: readonly number[];
}

/** Throws BadArgument unless all lengths are powers of two. */
export function bitLayout(lengths: readonly number[]): BitLayout {
  checkLengths(lengths);
  const odd = lengths.find((length) => !isPowerOfTwo(length));
  if (odd !== undefined) {
    throw badArgument(
      `${odd} in ${printShape({ lengths })} is not a power of two.`,
      "Pad the array, or index it by division.",
    );
  }
  const bits = lengths.map((length) => Math.log2(length));
  let offset = 0;
  const offsets = bits.map((count) => {
    offset += count;
    return offset - count;
  });
  const masks = lengths.map((length, axis) => ((length - 1) << offsets[axis]) >>> 0);
  const all = 2 ** offset - 1;
  return { bits, offsets, masks, inverses: masks.map((mask) => (all ^ mask) >>> 0) };
}

/** index_i = (k & mask_i) >> offset_i (equation 13) */
export const coordinateByBits = ({ masks, offsets }: BitLayout, index: number, axis: number): number =>
  (index & masks[axis]) >>> offsets[axis];

/** k = Σ index_i << offset_i over i < d (equation 14, whose sum runs one axis too far) */
export const indexByBits = ({ offsets }: BitLayout, coordinates: readonly number[]): number =>
  coordinates.reduce((index, coordinate, axis) => (index | (coordinate << offsets[axis])) >>> 0, 0);

/** The n-th neighbour along axis i of a periodic array: ((k + n·LP_i) & mask_i) | (k & inverse_i) (equation 16) */
export function neighborByBits(
  { masks, inverses, offsets }: BitLayout,
  index: number,
  axis: number,
  n: number,
): number {
  const moved = (index + (n << offsets[axis])) & masks[axis];
  return (moved | (index & inverses[axis])) >>> 0;
}

/**
 * The bits that flipping these axes inverts: fmask = Σ f_i·mask_i over i < d (equation 20, whose sum runs one axis too far). Listing 4
 * tests `flip[0]` for every axis, where `flip[i]` is due, and sets `fmask` but returns `f_mask`.
 */
export const flipMask = ({ masks }: BitLayout, axes: readonly number[]): number =>
  axes.reduce((mask, axis) => (mask | masks[axis]) >>> 0, 0);

/** The index in an array flipped by a mask: ((!k) | (!fmask)) & (k | fmask) (equation 21), which is k XOR fmask */
export const flipByBits = (index: number, mask: number): number => (index ^ mask) >>> 0;
