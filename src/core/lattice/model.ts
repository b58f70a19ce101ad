/**
 * A living model on a periodic lattice in any number of dimensions, as a record: parameters, arrays, kernels as kernel text, and what
 * is measured. `cpu/lattice` and `gpu/lattice` run it from this one source.
 */
import type { IndexMap } from "../hypercube/index-map.ts";

export interface Parameter {
  /** What a person reads in place of its name. */
  readonly label: string;
  /** What it is, in a few words. */
  readonly meaning: string;
  /** What it is measured in, if anything. */
  readonly unit?: string;
  /** On two axes, where it depends on how many there are. */
  readonly default: number;
  /** On 1, 2, … axes, where it depends on how many there are. */
  readonly defaultByAxes?: readonly number[];
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
  /** Words (u32) that the first part leaves to the second; the first of them is 0 where an element is done. */
  readonly carried: readonly string[];
  /** Kernel text that reads at its own element what the first part wrote, and writes the pass's arrays. */
  readonly rest: string;
}

/** A kernel over the elements of arrays that are all equally long. */
export interface Pass {
  readonly name: string;
  /**
   * Kernel text; beside its own constants there are `seed` (vec2u), `sweep` (u32), the number of the sweep from 1 on, and `step` (u32).
   */
  readonly text: string;
  /** The text's constant `step` (0), in which passes of one text may differ. */
  readonly step?: number;
  /** Arrays by the text's names, where these are not the arrays' own: passes that differ in them and in `step` share one program. */
  readonly arrays?: Readonly<Record<string, string>>;
  /** Arrays that it reads: at its own element, which it may also write, or anywhere within the plan's reach. */
  readonly reads: Readonly<Record<string, "own" | "all">>;
  /** Arrays that it writes at its own element; sums, of a pass whose outputs are summed. */
  readonly writes: readonly string[];
  /** Functions that the text calls: from an element to the element whence the map takes it. */
  readonly maps: Readonly<Record<string, IndexMap>>;
  readonly deferral?: Deferral;
}

/** The array of the plan that a pass calls by a name. */
export const arrayNamed = ({ arrays = {} }: Pick<Pass, "arrays">, name: string): string =>
  arrays[name] ?? name;

export type ElementType = "u32" | "i32" | "f32";

export type LatticeArray = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
export type LatticeArrays = Readonly<Record<string, LatticeArray>>;

/** A field over the sites, in the lattice's own order. */
export interface LatticeField {
  /** What a person reads in place of its name. */
  readonly label: string;
  /** What it is, in a few words. */
  readonly meaning: string;
  readonly components: 1 | 2 | 3;
  /** The type that files and programs get; pictures and expressions have f32. */
  readonly dtype: "int8" | "float32";
  /** The values between which a component lies, or mostly does: the range of its colours. Unknown where it is left out. */
  readonly range?: readonly [low: number, high: number];
}

/**
 * What sets sites to a value, as a person draws them: the sites x with Σ_i δ_i² ≤ `radius_squared`, δ_i the shorter distance around the
 * ring from x_i to `center[i]` (`brush.ts` has the text). Its passes have the constants `center` (an f32 for each axis),
 * `radius_squared` and `value` (f32), and no others. They read at their own element alone.
 */
export interface LatticeBrush {
  /** The values that it sets. */
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** What a person ought to know who draws. */
  readonly note?: string;
  readonly passes: readonly Pass[];
}

/**
 * A pass over the sites, one element each, that reads arrays and writes each component of each field as f32 (`componentNames`). It reads
 * no constants, and calls no array by a component's name.
 */
export type FieldsPass = Omit<Pass, "writes" | "deferral" | "step">;

/**
 * Sweeps by clusters instead of passes (`algorithms/lattice`): bonds between equal neighbours are set with a probability, and each cluster of
 * sites that they join gets one of so many states. The plan has the array `states`, and its other passes have no maps.
 */
export interface Clusters {
  readonly states: number;
  /** A bond is set where a uniform word is below it. */
  readonly bondThreshold: (parameters: Numbers) => number;
}

export interface Domains {
  /** A scalar of the fields, as an expression. */
  readonly expression: string;
  /** Where it has these values, one domain ends and another begins. */
  readonly walls: readonly number[];
}

/** A model on a lattice of given lengths. */
export interface LatticePlan {
  /** The lengths of the lattice, the fastest axis first. */
  readonly lengths: readonly number[];
  /** Types of the arrays, by their names; they begin as zeros. */
  readonly arrays: Readonly<Record<string, ElementType>>;
  /** Elements of each array: as many in each of the layers across the slowest axis. */
  readonly length: number;
  /** Layers across the slowest axis, before an element's and behind it, that passes read (1). */
  readonly reach?: number;
  /** Passes that make the first state, by the names of starts. They read at their own element alone. */
  readonly starts: Readonly<Record<string, readonly Pass[]>>;
  /** The passes of a sweep, one after the other; none where there are clusters. */
  readonly sweep: readonly Pass[];
  readonly clusters?: Clusters;
  /** Its outputs are summed over all elements. */
  readonly sums: Pass;
  /** The type of its outputs. Sums of u32 have to stay below 2³². */
  readonly sumType: ElementType;
  /** Arrays that passes read as constants, by their names. */
  readonly constants: Readonly<Record<string, { readonly type: ElementType; readonly length: number }>>;
  /** Throws BadArgument for parameters that do not fit together. */
  readonly constantsOf: (parameters: Numbers) => Readonly<Record<string, readonly number[]>>;
  /** What is measured after a sweep, a site, from its sums. */
  readonly quantitiesOf: (sums: Numbers) => Numbers;
  /** What a person reads in place of the names of quantities that are neither measures nor fields. */
  readonly quantityLabels?: Readonly<Record<string, string>>;
  /** What there is to see, the most telling field first. */
  readonly fields: Readonly<Record<string, LatticeField>>;
  readonly show: FieldsPass;
  /** What tells domains apart, where there are any. */
  readonly domains?: Domains;
  /** Undefined where nobody can draw on it. */
  readonly brush?: LatticeBrush;
}

/** The names of a field's components in what `show` writes: its own, or `name_x`, `name_y` and `name_z`. */
export const componentNames = (name: string, { components }: LatticeField): readonly string[] =>
  components === 1 ? [name] : ["x", "y", "z"].slice(0, components).map((axis) => `${name}_${axis}`);

/** A number that a whole run has, computed from means over its sweeps. */
export interface Measure {
  /** What a person reads in place of its name. */
  readonly label: string;
  /** What it is, with its formula. */
  readonly meaning: string;
  /** What it is measured in, if anything. */
  readonly unit?: string;
  readonly of: (means: Numbers, run: { readonly sites: number; readonly parameters: Numbers }) => number;
}

export interface LatticeModel {
  readonly name: string;
  /** What a person reads in place of its name. */
  readonly title: string;
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
