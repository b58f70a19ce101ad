import type { BinaryOperator } from "./functions.ts";
import type { ConstantsOf, Inputs, Signature, Slots } from "./kernel.ts";
import type { ScalarType } from "./vector.ts";

/** One of the numbers that a reduction makes of each element, and what combines them. */
export interface Term {
  readonly type: ScalarType;
  /** It commutes. */
  readonly operator: BinaryOperator;
}

export type Terms = Readonly<Record<string, Term>>;

/** The results of a reduction, by its terms' names. */
export type Totals<T extends Terms> = { readonly [N in keyof T]: number };

/** What loops that are written in JavaScript read: words, interleaved, and constants as elements of their types. */
interface Bound<I extends Inputs, C extends Slots> {
  readonly inputs: { readonly [N in keyof I]: ArrayLike<number> };
  readonly constants: ConstantsOf<C>;
}

/**
 * A function that makes several numbers of each element, of which each is reduced by an operator of its own: `out` has the
 * terms, all of them the operators' identities at first.
 */
export interface Reduction<I extends Inputs = Inputs, T extends Terms = Terms, C extends Slots = Slots>
  extends Signature<I, C> {
  readonly terms: T;
  /**
   * Runs on the CPU instead of the text on whole rows, where that would be slower or lose digits of f64: combines the terms of elements
   * [from, to) with `totals`, which are the operators' identities at first. They are plain numbers: sums need not be rounded to f32.
   */
  hostLoop?(bound: Bound<I, C>, from: number, to: number, totals: { -readonly [N in keyof T]: number }): void;
}

/** A function that puts elements into bins to be counted: `out.bin` is beyond all of them at first, which leaves the element out. */
export interface Tally<I extends Inputs = Inputs, C extends Slots = Slots> extends Signature<I, C> {
  /** As a reduction's: adds elements [from, to) to `counts`, of which there are as many as bins. */
  hostLoop?(bound: Bound<I, C>, from: number, to: number, counts: Uint32Array): void;
}

/** The bin of elements that are left out. */
export const noBin = 2 ** 32 - 1;

/** A reduction, with the types of its signature kept. */
export const defineReduction = <const I extends Inputs, const T extends Terms, const C extends Slots>(
  reduction: Reduction<I, T, C>,
): Reduction<I, T, C> => reduction;

/** A tally, with the types of its signature kept. */
export const defineTally = <const I extends Inputs, const C extends Slots>(tally: Tally<I, C>): Tally<I, C> =>
  tally;
