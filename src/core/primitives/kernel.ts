import type { ConstantValues, RowAccess } from "./access.ts";
import type { ScalarType, Vector } from "./vector.ts";

/** What a kernel reads or writes: elements of one to four words, one where `components` is left out. */
export interface Slot {
  readonly type: ScalarType;
  readonly components?: 1 | 2 | 3 | 4;
}

export type Slots = Readonly<Record<string, Slot>>;

export interface Input extends Slot {
  readonly access: RowAccess;
}

export type Inputs = Readonly<Record<string, Input>>;

export type VectorsOf<S extends Slots> = { readonly [N in keyof S]: Vector<S[N]["type"]> };
export type ConstantsOf<S extends Slots> = string extends keyof S
  ? ConstantValues
  : { readonly [N in keyof S]: S[N] extends { readonly components: number } ? readonly number[] : number };

/** What a function of elements reads, and its code in kernel text (docs/kernels.md), from which each target makes its own. */
export interface Signature<I extends Inputs = Inputs, C extends Slots = Slots> {
  readonly name: string;
  readonly inputs: I;
  readonly constants: C;
  /**
   * Statements, in WGSL as they stand: they see `element`, `place`, `constants.name`, each input as a function (of nothing where
   * its access is “own”, else of a position, u32), and set members of `out`. `isNan`, `isInf` and `isFinite` take one f32.
   */
  readonly text: string;
  /** Functions, structs and consts of the text: they see inputs, constants and places, too. */
  readonly functions?: string;
}

/** A function that makes elements of several vectors from elements of others: `out` has the outputs, all 0 at first. */
export interface Kernel<I extends Inputs = Inputs, O extends Slots = Slots, C extends Slots = Slots>
  extends Signature<I, C> {
  readonly outputs: O;
}

/**
 * That results are elements [first, first + count) of a longer row: a block of it, or a rank's share. Functions see places of the
 * whole row; vectors of own elements, and the results, begin at the first.
 */
export interface RowShare {
  readonly first: number;
  /**
   * Where vectors begin which are read at positions: the position of what is their first element here, 0 where it is left out.
   * They hold what lies around the results as far as the access says; tables are whole.
   */
  readonly origins?: Readonly<Record<string, number>>;
}

/** What a call gives a kernel. */
export interface KernelArguments<I extends Inputs, C extends Slots> {
  readonly inputs: VectorsOf<I>;
  readonly constants: ConstantsOf<C>;
  /** The element that each result is at; the result's own place where it is left out. */
  readonly at?: Vector<"u32">;
  /** The results are elements 0 to count of their row where it is left out. */
  readonly share?: RowShare;
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
