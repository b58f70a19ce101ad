import type { ConstantValues } from "./access.ts";
import type {
  BinaryOperator,
  NaryFunction,
  Operator,
  Predicate,
  ResultOf,
  UnaryFunction,
} from "./functions.ts";
import type { Kernel, RowShare } from "./kernel.ts";
import type { KeysAndValues, Segments, Selection, SortOptions } from "./primitives.ts";
import type { Reduction, Tally } from "./reduction.ts";
import type { SetOperation } from "./set-operations.ts";
import type { HostArray, ScalarType, Vector } from "./vector.ts";

/**
 * What an implementation of Primitives is behind the checks of arguments, which `checked` makes once for all of them. A
 * backend's methods get vectors that it made and that are held, of fitting types, components and lengths, and valid numbers
 * and options; they may declare vectors as its own class of them. They throw what only a backend knows: DeviceLost,
 * OutOfMemory, TooLarge beyond a limit of its own, and for an index out of range. What they do before they first wait, they do
 * before the next method is called. Meanings are those of Primitives' methods.
 */
export interface PrimitivesBackend
  extends VectorsBackend,
    EachBackend,
    ForEachBackend,
    ElementwiseBackend,
    ReductionsBackend,
    HistogramsBackend,
    ScansBackend,
    RunsBackend,
    CompactionBackend,
    MovementBackend,
    SearchBackend,
    SortBackend {}

/** A result that may be there at once. */
type Eventual<T> = T | Promise<T>;

/** What checks ask of whoever makes vectors. */
export interface VectorOwner {
  /** Words of the longest vector with memory of its own. */
  readonly maxWords: number;
  /** Throws where no method can run any more. `what` is the method. */
  checkAlive(what: string): void;
  /** Whether it made the vector, and whether all memory that the vector reads is held. Throws why that memory was lost. */
  stateOf(vector: Vector): "held" | "released" | "foreign";
}

export interface VectorsBackend extends VectorOwner {
  fromHost<T extends ScalarType>(type: T, data: HostArray<T>, components: number): Vector<T>;
  toHost<T extends ScalarType>(vector: Vector<T>): Eventual<HostArray<T>>;
  /** The ith element. */
  element(vector: Vector, i: number): Eventual<number>;
  view<T extends ScalarType>(vector: Vector<T>, from: number, to: number): Vector<T>;
  counting<T extends ScalarType>(type: T, length: number, start: number, step: number): Vector<T>;
  constant<T extends ScalarType>(type: T, length: number, value: number): Vector<T>;
  reversed<T extends ScalarType>(vector: Vector<T>): Vector<T>;
  permuted<T extends ScalarType>(vector: Vector<T>, map: Vector<"u32">, isChecked: boolean): Vector<T>;
}

/** What a function of elements is given. */
export interface EachArguments {
  readonly inputs: Readonly<Record<string, Vector>>;
  readonly constants: ConstantValues;
  readonly share?: RowShare;
}

export interface ForEachArguments extends EachArguments {
  readonly at?: Vector<"u32">;
}

export interface EachBackend {
  reduceEach(
    count: number,
    reduction: Reduction,
    given: EachArguments,
  ): Eventual<Readonly<Record<string, number>>>;
  countEach(count: number, tally: Tally, bins: number, given: EachArguments): Eventual<Vector<"u32">>;
}

export interface ForEachBackend {
  forEach(count: number, kernel: Kernel, given: ForEachArguments): Eventual<Readonly<Record<string, Vector>>>;
}

export interface ElementwiseBackend {
  copy<T extends ScalarType>(vector: Vector<T>): Eventual<Vector<T>>;
  transform<T extends ScalarType>(vector: Vector, f: UnaryFunction, type: T): Eventual<Vector<T>>;
  zip<T extends ScalarType>(vectors: readonly Vector[], f: NaryFunction, type: T): Eventual<Vector<T>>;
}

export interface ReductionsBackend {
  /** Of f's values, stored as `type`, where it is given. */
  reduce(
    vector: Vector,
    operator: Operator,
    init?: number,
    f?: UnaryFunction,
    type?: ScalarType,
  ): Eventual<number>;
  innerProduct(
    a: Vector,
    b: Vector,
    combine: BinaryOperator,
    pair: BinaryOperator,
    init?: number,
  ): Eventual<number>;
  minmax(vector: Vector): Eventual<readonly [min: number, max: number]>;
  count(vector: Vector, value: number): Eventual<number>;
  countIf(vector: Vector, predicate: Predicate): Eventual<number>;
  all(vector: Vector, predicate: Predicate): Eventual<boolean>;
  any(vector: Vector, predicate: Predicate): Eventual<boolean>;
}

export interface HistogramsBackend {
  histogramEven(vector: Vector, low: number, high: number, bins: number): Eventual<Vector<"u32">>;
  /** The edges are elements (`edgesOf`): as many as bins and one more, or fewer. */
  histogramRange(vector: Vector, edges: HostArray, bins: number): Eventual<Vector<"u32">>;
}

export interface ScanByKeyRequest {
  readonly isExclusive: boolean;
  readonly reverse?: boolean;
  /** The operator's identity where it is left out. */
  readonly init?: number;
}

export interface ScanRequest<R extends ScalarType = ScalarType> extends ScanByKeyRequest {
  /** What is combined: elements, or the transform's values. */
  readonly type: R;
  readonly transform?: UnaryFunction;
}

export interface ScansBackend {
  scan<O extends Operator, R extends ScalarType>(
    vector: Vector,
    operator: O,
    request: ScanRequest<R>,
  ): Eventual<Vector<ResultOf<O, R>>>;
  scanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    request: ScanByKeyRequest,
  ): Eventual<Vector<ResultOf<O, T>>>;
}

export interface RunsBackend {
  reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
    keys: Vector<K>,
    values: Vector<V>,
    operator: O,
  ): Eventual<KeysAndValues<K, ResultOf<O, V>>>;
  runLengthEncode<T extends ScalarType>(keys: Vector<T>): Eventual<KeysAndValues<T, "u32">>;
  uniqueByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
  ): Eventual<KeysAndValues<K, V>>;
  unique<T extends ScalarType>(keys: Vector<T>): Eventual<Vector<T>>;
}

export interface CompactionBackend {
  /** The selected elements, or all the others. */
  compact<T extends ScalarType>(
    vector: Vector<T>,
    selection: Selection,
    keeps: "selected" | "rejected",
  ): Eventual<Vector<T>>;
  partition<T extends ScalarType>(
    vector: Vector<T>,
    selection: Selection,
  ): Eventual<{ readonly vector: Vector<T>; readonly selected: number }>;
  segmentedSplit<T extends ScalarType>(
    vector: Vector<T>,
    flags: Vector<"u32">,
    segments: Segments,
  ): Eventual<Vector<T>>;
}

export interface MovementBackend {
  /** Whether the vector has memory of its own, or is a window of such a one. */
  isWritable(vector: Vector): boolean;
  /** Whether reading `vector` reads memory of `target`, which is writable. */
  readsMemoryOf(vector: Vector, target: Vector): boolean;
  /** `isChecked`: throws `indexOutOfRange`, as scatters do. */
  gather<T extends ScalarType>(
    map: Vector<"u32">,
    source: Vector<T>,
    isChecked: boolean,
  ): Eventual<Vector<T>>;
  gatherIf<T extends ScalarType>(
    map: Vector<"u32">,
    stencil: Vector<"u32">,
    source: Vector<T>,
    fallback: Vector<T>,
    isChecked: boolean,
  ): Eventual<Vector<T>>;
  /** With a stencil it is `scatterIf`. */
  scatter<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    target: Vector<T>,
    isChecked: boolean,
    stencil?: Vector<"u32">,
  ): Eventual<void>;
}

/** The first position at which a needle could be inserted, or the last. */
export type Bound = "lower" | "upper";

export interface SearchBackend {
  search<T extends ScalarType>(bound: Bound, sorted: Vector<T>, needles: Vector<T>): Eventual<Vector<"u32">>;
  upperBoundCounting(sorted: Vector<"u32">, count: number): Eventual<Vector<"u32">>;
  merge<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Eventual<Vector<T>>;
  combineSets<T extends ScalarType>(operation: SetOperation, a: Vector<T>, b: Vector<T>): Eventual<Vector<T>>;
}

export interface SortBackend {
  sort<T extends ScalarType>(keys: Vector<T>, options?: SortOptions): Eventual<Vector<T>>;
  sortByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
    options?: SortOptions,
  ): Eventual<KeysAndValues<K, V>>;
  segmentedSort<T extends ScalarType>(
    keys: Vector<T>,
    segments: Segments,
    options?: SortOptions,
  ): Eventual<Vector<T>>;
  argsort(keys: Vector, options?: SortOptions): Eventual<Vector<"u32">>;
  rank(keys: Vector, options?: SortOptions): Eventual<Vector<"u32">>;
}
