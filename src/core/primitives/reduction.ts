import type { BinaryOperator } from "./functions.ts";
import type { ConstantsOf, Inputs, Signature, Slots } from "./kernel.ts";
import type { ScalarType } from "./vector.ts";

/** One of the numbers that a reduction makes of each element, and what combines them. */
interface Term {
  readonly type: ScalarType;
  /** It commutes. */
  readonly operator: BinaryOperator;
}

export type Terms = Readonly<Record<string, Term>>;

/** The results of a reduction, by its terms' names. */
export type Totals<T extends Terms> = { readonly [N in keyof T]: number };

/** What loops in JavaScript read: words, interleaved, and constants as elements of their types. */
interface Bound<I extends Inputs, C extends Slots> {
  readonly inputs: { readonly [N in keyof I]: ArrayLike<number> };
  readonly constants: ConstantsOf<C>;
}

/**
 * A function that makes several numbers of each element, of which each is reduced by an operator of its own. A twin: in
 * WGSL it makes the terms of one element, in JavaScript it is the loop over many, so that nothing is called for each.
 */
export interface Reduction<I extends Inputs = Inputs, T extends Terms = Terms, C extends Slots = Slots>
  extends Signature<I, C> {
  readonly terms: T;
  /**
   * Combines the terms of elements [from, to) with `totals`, which are the operators' identities at first. They are plain
   * numbers: sums need not be rounded to f32.
   */
  js(bound: Bound<I, C>, from: number, to: number, totals: { -readonly [N in keyof T]: number }): void;
  /**
   * Statements that set the members of `out`, named as the terms, all of them the operators' identities at first; `return out;`
   * ends them early. They see `element`, `constants.name`, and each input as a function of an index.
   */
  readonly wgsl: string;
  /** Functions that the statements call, which see constants and inputs too. `is_nan` and `is_finite` are there. */
  readonly wgslFunctions?: string;
}

/** A function that puts elements into bins to be counted. A twin, as reductions are. */
export interface Tally<I extends Inputs = Inputs, C extends Slots = Slots> extends Signature<I, C> {
  /** Adds elements [from, to) to `counts`, of which there are as many as bins. */
  js(bound: Bound<I, C>, from: number, to: number, counts: Uint32Array): void;
  /** Statements that return the bin of `element`; any number beyond the bins leaves it out. */
  readonly wgsl: string;
  readonly wgslFunctions?: string;
}

/** A reduction, with the types of its signature kept. */
export const defineReduction = <const I extends Inputs, const T extends Terms, const C extends Slots>(
  reduction: Reduction<I, T, C>,
): Reduction<I, T, C> => reduction;

/** A tally, with the types of its signature kept. */
export const defineTally = <const I extends Inputs, const C extends Slots>(tally: Tally<I, C>): Tally<I, C> =>
  tally;
