import type { HostArray, ScalarType, Vector } from "./vector.ts";

/** What a kernel reads or writes: elements of one to four words, one where `components` is left out. */
export interface Slot {
  readonly type: ScalarType;
  readonly components?: number;
}

export type Slots = Readonly<Record<string, Slot>>;

/** Numbers by constants' names: one, or as many as the constant has components. */
export type ConstantValues = Readonly<Record<string, number | readonly number[]>>;

interface Measure {
  reach(constants: ConstantValues): readonly [before: number, after: number];
}

/**
 * How far a kernel reads an input from where it is. "own": the element of the result's own place, of a vector as long
 * as the results. "all": any element, as of a table. Else so many elements before and after the one that it is at, as
 * the constants tell: what ranks have to have of their neighbours' shares.
 */
type Reach = "own" | "all" | Measure["reach"];

interface Input extends Slot {
  readonly reach: Reach;
  /** The kernel is at so many times its element in this input, 1 where it is left out: elements may be runs or tuples. */
  readonly stride?: number;
}

export type Inputs = Readonly<Record<string, Input>>;

export type VectorsOf<S extends Slots> = { readonly [N in keyof S]: Vector<S[N]["type"]> };
type WordsOf<S extends Slots> = { readonly [N in keyof S]: HostArray<S[N]["type"]> };
export type ConstantsOf<S extends Slots> = string extends keyof S
  ? ConstantValues
  : { readonly [N in keyof S]: S[N] extends { readonly components: number } ? readonly number[] : number };

/** What a function says that it reads. */
export interface Signature<I extends Inputs = Inputs, C extends Slots = Slots> {
  readonly name: string;
  readonly inputs: I;
  readonly constants: C;
}

/** What the twin in JavaScript works on: words, interleaved, and constants as elements of their types. */
interface Bound<I extends Inputs, O extends Slots, C extends Slots> {
  readonly inputs: WordsOf<I>;
  readonly outputs: WordsOf<O>;
  readonly constants: ConstantsOf<C>;
}

/**
 * A function that makes elements of several vectors from elements of others, and says in its signature what it reads
 * and writes. A twin, as other functions are.
 */
export interface Kernel<I extends Inputs = Inputs, O extends Slots = Slots, C extends Slots = Slots>
  extends Signature<I, C> {
  readonly outputs: O;
  /** Gives the function that writes the results of `place`, being at `element`. */
  js(bound: Bound<I, O, C>): (element: number, place: number) => void;
  /**
   * Statements that set the members of `out`, named as the outputs, all 0 at first; `return out;` ends them early. They
   * see `element`, `place`, `constants.name`, and each input as a function of an index.
   */
  readonly wgsl: string;
  /** Functions that the statements call, which see constants and inputs too. */
  readonly wgslFunctions?: string;
}

/** What a call gives a kernel. */
export interface KernelArguments<I extends Inputs, C extends Slots> {
  readonly inputs: VectorsOf<I>;
  readonly constants: ConstantsOf<C>;
  /** The element that each result is at; the result's own place where it is left out. */
  readonly at?: Vector<"u32">;
}

/** A kernel, with the types of its signature kept. */
export const defineKernel = <const I extends Inputs, const O extends Slots, const C extends Slots>(
  kernel: Kernel<I, O, C>,
): Kernel<I, O, C> => kernel;

/** The numbers of a constant; NaN where it is not given. */
export function valuesOf(constants: ConstantValues, name: string): readonly number[] {
  const value = constants[name] ?? Number.NaN;
  return typeof value === "number" ? [value] : value;
}
