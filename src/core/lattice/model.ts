/**
 * A living model on a periodic lattice in any number of dimensions, as a record: parameters, arrays, kernels as kernel text, and what
 * is measured. `cpu/lattice` and `gpu/lattice` run it from this one source.
 */
import type { IndexMap } from "../hypercube/index-map.ts";

export interface Parameter {
  /** What it is, in a few words. */
  readonly meaning: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** A whole number that stays as it is during a run. */
  readonly isFixed?: boolean;
}

/** Numbers by their names. */
export type Numbers = Readonly<Record<string, number>>;

/**
 * A pass in two parts, for GPUs, whose threads wait for the slowest of their group: most elements are done after the first part, and the
 * others are gathered for the second. Both together do what the whole pass does.
 */
export interface Deferral {
  /** Kernel text that also writes what is carried. */
  readonly first: string;
  /** Words that the first part leaves to the second; the first of them is 0 where an element is done. */
  readonly carried: readonly string[];
  /** Kernel text that reads at its own element what the first part wrote, and writes the pass's arrays. */
  readonly rest: string;
}

/** A kernel over the elements of arrays that are all equally long. */
export interface Pass {
  readonly name: string;
  /** Kernel text; beside its own constants there are `seed` (vec2u) and `sweep` (u32), the number of the sweep from 1 on. */
  readonly text: string;
  /** Arrays that it reads: at its own element, which it may also write, or anywhere. */
  readonly reads: Readonly<Record<string, "own" | "all">>;
  /** Arrays that it writes at its own element; sums, of a pass whose outputs are summed. */
  readonly writes: readonly string[];
  /** Functions that the text calls: from an element to the element whence the map takes it. */
  readonly maps: Readonly<Record<string, IndexMap>>;
  readonly deferral?: Deferral;
}

/** Arrays of a plan's type. */
export type LatticeArrays = Readonly<Record<string, Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>>;

/** A model on a lattice of given lengths. */
export interface LatticePlan {
  /** The type of the arrays' elements, of the sums and of the constants. */
  readonly type: "u32" | "f32";
  /** Arrays by their names; they begin as zeros. */
  readonly arrays: readonly string[];
  /** Elements of each array. */
  readonly length: number;
  /** Passes that make the first state, by the names of starts. */
  readonly starts: Readonly<Record<string, readonly Pass[]>>;
  /** The passes of a sweep, one after the other. */
  readonly sweep: readonly Pass[];
  /** Its outputs are summed over all elements. */
  readonly sums: Pass;
  /** Arrays that passes read as constants, by their names, with their lengths. */
  readonly constants: Numbers;
  /** Throws BadArgument for parameters that do not fit together. */
  readonly constantsOf: (parameters: Numbers) => Readonly<Record<string, readonly number[]>>;
  /** What is measured after a sweep, a site, from its sums. */
  readonly quantitiesOf: (sums: Numbers) => Numbers;
  /** The value of each site, axis 0 the fastest. */
  readonly sitesOf: (arrays: LatticeArrays) => Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
}

/** A number that a whole run has, computed from means over its sweeps. */
export interface Measure {
  /** What it is, with its formula. */
  readonly meaning: string;
  readonly of: (means: Numbers, run: { readonly sites: number; readonly parameters: Numbers }) => number;
}

export interface LatticeModel {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** The start where none is named. */
  readonly start: string;
  /** Of the parameters only the fixed ones matter. Throws BadArgument for lengths that the model cannot have. */
  readonly on: (lengths: readonly number[], parameters: Numbers) => LatticePlan;
  /** What the measures need the means of, from a sweep's quantities. */
  readonly observables: Readonly<Record<string, (quantities: Numbers) => number>>;
  readonly measures: Readonly<Record<string, Measure>>;
}
