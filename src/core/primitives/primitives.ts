import type {
  BinaryOperator,
  NaryFunction,
  Operator,
  Predicate,
  ResultOf,
  UnaryFunction,
} from "./functions.ts";
import type { Inputs, Kernel, KernelArguments, Slots, VectorsOf } from "./kernel.ts";
import type { Reduction, Tally, Terms, Totals } from "./reduction.ts";
import type { HostArray, ScalarType, Vector } from "./vector.ts";

export interface ScanOptions<R extends ScalarType = ScalarType> {
  /** From the last element to the first: element i combines what follows it. */
  readonly reverse?: boolean;
  /** Applied to each element before it is combined. */
  readonly transform?: UnaryFunction;
  /** What the transform's values are stored and combined as; the vector's type where it is left out. */
  readonly type?: R;
}

export interface ScanByKeyOptions {
  readonly reverse?: boolean;
}

export interface ExclusiveScanByKeyOptions extends ScanByKeyOptions {
  /** Begins each segment, as in `exclusiveScan`; the operator's identity where it is left out. */
  readonly init?: number;
}

/** What segments are: equal neighbouring keys belong together, or a head flag (≠ 0) begins a segment. */
export type Segments = { readonly keys: Vector } | { readonly heads: Vector<"u32"> };

/** What compaction keeps: elements that satisfy a predicate, or whose stencil is not 0. */
export type Selection = { readonly where: Predicate } | { readonly stencil: Vector<"u32"> };

export interface SortOptions {
  /** Equal keys keep their order all the same. */
  readonly descending?: boolean;
  /** Only bits [from, to) of the key's ordered form count: 0 to 32. */
  readonly bits?: readonly [from: number, to: number];
}

export interface KeysAndValues<K extends ScalarType = ScalarType, V extends ScalarType = ScalarType> {
  readonly keys: Vector<K>;
  readonly values: Vector<V>;
}

/**
 * The data-parallel primitives (seed 000, § 3.1; names and meanings as in Thrust). Implemented over typed arrays, on a
 * GPU, and over ranks; one conformance suite runs over all. Results are new vectors that the caller owns; inputs stay
 * as they were unless a method says otherwise. Methods take effect in the order in which they are called, awaited or
 * not: each reads vectors as the calls before it leave them. Lengths that do not fit each other, foreign or released
 * vectors and lengths over the limits throw BadArgument or TooLarge before anything runs. Numbers become elements by
 * being stored in a typed array; those that a function makes of f32 become the nearest of an integer type, not those
 * modulo 2³². Sums and scans of n f32 are within (80 + n / 4096) · 2⁻²⁴ of the exact ones (scans on software adapters:
 * n / 1024), relative to those of the magnitudes. Runs and segments compare f32 keys as numbers: −0 equals +0, NaN nothing.
 */
export interface Primitives {
  readonly name: string;

  fromHost<T extends ScalarType>(type: T, data: HostArray<T>, components?: number): Vector<T>;
  toHost<T extends ScalarType>(vector: Vector<T>): Promise<HostArray<T>>;
  /** BadArgument where the vector is empty, as for `back`. */
  front(vector: Vector): Promise<number>;
  back(vector: Vector): Promise<number>;

  /**
   * Elements [from, to) of a vector, without a copy. This and the four below are views: vectors without memory of
   * their own, which every method reads like any other. Only `view` of a vector with memory can be written to.
   */
  view<T extends ScalarType>(vector: Vector<T>, from: number, to: number): Vector<T>;
  /** start, start + step, … as `sequence`. */
  counting<T extends ScalarType>(type: T, length: number, start?: number, step?: number): Vector<T>;
  constant<T extends ScalarType>(type: T, length: number, value: number): Vector<T>;
  /** From the last element to the first. */
  reversed<T extends ScalarType>(vector: Vector<T>): Vector<T>;
  /**
   * Element i is vector[map[i]]; zeros where the index is out of range. `checked`: what reads the view throws BadArgument
   * with the first such index.
   */
  permuted<T extends ScalarType>(vector: Vector<T>, map: Vector<"u32">, checked?: boolean): Vector<T>;

  fill<T extends ScalarType>(type: T, length: number, value: number): Promise<Vector<T>>;
  /** start, start + step, … in the type's own arithmetic: start + step · i. start is 0, step 1 where left out. */
  sequence<T extends ScalarType>(type: T, length: number, start?: number, step?: number): Promise<Vector<T>>;
  /** Element i is f(i). */
  generate<T extends ScalarType>(type: T, length: number, f: UnaryFunction): Promise<Vector<T>>;
  copy<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>>;
  reverse<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>>;
  transform<T extends ScalarType>(vector: Vector, f: UnaryFunction, type: T): Promise<Vector<T>>;
  zip<T extends ScalarType>(vectors: readonly Vector[], f: NaryFunction, type: T): Promise<Vector<T>>;
  /**
   * What a kernel makes at `count` elements, those that `at` names or the first ones. Kernels read within their inputs;
   * what they get beyond them is undefined. BadArgument where what is given does not fit the kernel's signature.
   */
  forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>>;

  /**
   * init ∘ x₀ ∘ x₁ ∘ … in that order; the operator's identity where init is left out. By a locating operator: the
   * position, −1 where nothing is found, or only elements with greater keys than init's.
   */
  reduce(vector: Vector, operator: Operator, init?: number): Promise<number>;
  /** Of f's values, stored and combined as `type`: the vector's where it is left out. */
  transformReduce(
    vector: Vector,
    f: UnaryFunction,
    operator: Operator,
    init?: number,
    type?: ScalarType,
  ): Promise<number>;
  /** init ∘ (a₀ · b₀) ∘ (a₁ · b₁) ∘ …: ∘ combines, · pairs (Thrust's order of the two). */
  innerProduct(
    a: Vector,
    b: Vector,
    combine: BinaryOperator,
    pair: BinaryOperator,
    init?: number,
  ): Promise<number>;
  /**
   * Several reductions of what is made of `count` elements, in one pass over them: of each term the operator's identity
   * where there are no elements. Sums of f32 may come with more digits than an f32 has. Kernels as in `forEach`; BadArgument
   * also where an operator does not commute, or there are over 16 terms.
   */
  reduceEach<I extends Inputs, T extends Terms, C extends Slots>(
    count: number,
    reduction: Reduction<I, T, C>,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Totals<T>>;
  /** NaN where the vector is empty; NaN elements are passed over, and −0 is less than +0. */
  minmax(vector: Vector): Promise<readonly [min: number, max: number]>;
  /**
   * `reduce` by the operator of that name. The first position of the least element, −1 where there is none; NaN
   * elements are passed over, and −0 equals +0.
   */
  argmin(vector: Vector): Promise<number>;
  argmax(vector: Vector): Promise<number>;
  count(vector: Vector, value: number): Promise<number>;
  countIf(vector: Vector, predicate: Predicate): Promise<number>;
  all(vector: Vector, predicate: Predicate): Promise<boolean>;
  any(vector: Vector, predicate: Predicate): Promise<boolean>;
  none(vector: Vector, predicate: Predicate): Promise<boolean>;
  /**
   * Counts in `bins` equal parts of [low, high); values outside and NaN are left out. `binOf` (histogram.ts) defines
   * the part of a value, to the bit. BadArgument: see `evenBins`.
   */
  histogramEven(vector: Vector, low: number, high: number, bins: number): Promise<Vector<"u32">>;
  /**
   * Counts in [edges[k], edges[k+1]) for at least two increasing edges; values outside and NaN are left out. f32: edges
   * are rounded to f32 first. Integers: compared as numbers. BadArgument: see `edgesOf` (histogram.ts).
   */
  histogramRange(vector: Vector, edges: readonly number[]): Promise<Vector<"u32">>;
  /** How many of `count` elements a function puts into each of `bins` bins; those beyond the last are left out. */
  countEach<I extends Inputs, C extends Slots>(
    count: number,
    tally: Tally<I, C>,
    bins: number,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Vector<"u32">>;

  /**
   * Scans by a locating operator, and `reduceByKey`, give positions in the whole vector, 2³² − 1 where nothing is found
   * yet. Of equal elements they give the lowest position, in reverse too.
   */
  inclusiveScan<T extends ScalarType, O extends Operator, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: O,
    options?: ScanOptions<R>,
  ): Promise<Vector<ResultOf<O, R>>>;
  /**
   * Element 0 is init, counted once; the operator's identity where it is left out. To a locating operator init is an
   * element beyond the last position: nothing is found while all keys are greater than its own.
   */
  exclusiveScan<T extends ScalarType, O extends Operator, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: O,
    init?: number,
    options?: ScanOptions<R>,
  ): Promise<Vector<ResultOf<O, R>>>;
  inclusiveScanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    options?: ScanByKeyOptions,
  ): Promise<Vector<ResultOf<O, T>>>;
  exclusiveScanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    options?: ExclusiveScanByKeyOptions,
  ): Promise<Vector<ResultOf<O, T>>>;
  /** One key and one combined value for each run of equal neighbouring keys. */
  reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
    keys: Vector<K>,
    values: Vector<V>,
    operator: O,
  ): Promise<KeysAndValues<K, ResultOf<O, V>>>;
  runLengthEncode<T extends ScalarType>(vector: Vector<T>): Promise<KeysAndValues<T, "u32">>;
  /** The first key and value of each run of equal neighbouring keys. */
  uniqueByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
  ): Promise<KeysAndValues<K, V>>;

  copyIf<T extends ScalarType>(vector: Vector<T>, selection: Selection): Promise<Vector<T>>;
  removeIf<T extends ScalarType>(vector: Vector<T>, selection: Selection): Promise<Vector<T>>;
  /** Selected elements first, the others after them, both in their order. */
  partition<T extends ScalarType>(
    vector: Vector<T>,
    selection: Selection,
  ): Promise<{ readonly vector: Vector<T>; readonly selected: number }>;
  /** Drops elements equal to the one before. */
  unique<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>>;
  /** Within each segment, elements whose flag is 0 first, then the others, both in their order (the KD-tree's split). */
  segmentedSplit<T extends ScalarType>(
    vector: Vector<T>,
    flags: Vector<"u32">,
    segments: Segments,
  ): Promise<Vector<T>>;

  /** Element i is source[map[i]]. An index out of range gives 0; `checked` throws BadArgument with the first. */
  gather<T extends ScalarType>(map: Vector<"u32">, source: Vector<T>, checked?: boolean): Promise<Vector<T>>;
  /**
   * `target`, with target[map[i]] replaced by source[i]. Where indices repeat, one of them wins; an index out
   * of range is passed over. Changes `target`, which has to be another vector (or view of one) than those it reads.
   */
  scatter<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    target: Vector<T>,
    checked?: boolean,
  ): Promise<void>;
  /** As gather where the stencil is not 0; `fallback`'s element elsewhere, where no index is checked. */
  gatherIf<T extends ScalarType>(
    map: Vector<"u32">,
    stencil: Vector<"u32">,
    source: Vector<T>,
    fallback: Vector<T>,
    checked?: boolean,
  ): Promise<Vector<T>>;
  /** As scatter of the elements whose stencil is not 0. */
  scatterIf<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    stencil: Vector<"u32">,
    target: Vector<T>,
    checked?: boolean,
  ): Promise<void>;

  /**
   * The first position at which each needle could be inserted into the ascending vector. Searches, `merge` and set
   * operations compare as numbers: −0 equals +0, every NaN equals every other and is greater than all numbers.
   */
  lowerBound<T extends ScalarType>(sorted: Vector<T>, needles: Vector<T>): Promise<Vector<"u32">>;
  /** The last such position. */
  upperBound<T extends ScalarType>(sorted: Vector<T>, needles: Vector<T>): Promise<Vector<"u32">>;
  /** upperBound of the needles 0, 1, …, count − 1 in an ascending vector of counts (seed 000's monotone form). */
  upperBoundCounting(sorted: Vector<"u32">, count: number): Promise<Vector<"u32">>;
  /** Two ascending vectors as one; equal elements of `a` come first. */
  merge<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>>;
  /**
   * Of ascending vectors; the result ascends. An element m times in `a` and n times in `b` comes max(m, n) times: all
   * of a's, then the last n − m of b's.
   */
  setUnion<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>>;
  /** … min(m, n) times: the first of a's. */
  setIntersection<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>>;
  /** … max(m − n, 0) times: the last of a's. */
  setDifference<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>>;

  /** Stable. f32: −0 before +0, NaN last (first when descending). */
  sort<T extends ScalarType>(keys: Vector<T>, options?: SortOptions): Promise<Vector<T>>;
  sortByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
    options?: SortOptions,
  ): Promise<KeysAndValues<K, V>>;
  /** Sorts within each segment. */
  segmentedSort<T extends ScalarType>(
    keys: Vector<T>,
    segments: Segments,
    options?: SortOptions,
  ): Promise<Vector<T>>;
  /** The permutation that sorts: sorted[i] = keys[argsort[i]]. */
  argsort(keys: Vector, options?: SortOptions): Promise<Vector<"u32">>;
  /** Where each element goes: sorted[rank[i]] = keys[i]. */
  rank(keys: Vector, options?: SortOptions): Promise<Vector<"u32">>;
}
