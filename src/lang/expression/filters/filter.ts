import type { Span } from "../../../core/errors.ts";
import type { Centering, GridPart, Triple } from "../../../core/grid.ts";
import type { Quantity } from "../../../core/quantity.ts";
import type { Statistics } from "../../../core/statistics.ts";
import type { ExpressionType, ValueType } from "../types.ts";

/** Documentation of one filter: what completion, hover and the reference show. */
export interface FilterDoc {
  /** As typed: "curl(v)". */
  readonly signature: string;
  /** One sentence. */
  readonly summary: string;
  /** Formula in plain text, where one says more than the summary. */
  readonly formula?: string;
  readonly example: string;
  /** Heading in the reference: "Operators", "Logic", "Mathematics", "Vectors", "Tensors", "Derivatives", "Vortices", "Filters", "Mesh". */
  readonly group: string;
}

interface FilterBase {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly doc: FilterDoc;
  /** Not typed by its name: an operator, or a part of composites. Completion leaves it out. */
  readonly internal?: boolean;
}

export interface Signature {
  readonly inputs: readonly ValueType[];
  readonly output: ValueType;
}

/**
 * One typing of a filter that reads its own element only: an expression in kernel text (docs/kernels.md) of the inputs,
 * which it calls a, b, c and d, and of the type `real`, which is f64 on a CPU and f32 in a shader.
 */
export interface ElementOverload extends Signature {
  readonly text: string;
  /** Functions and structs in kernel text that the expression uses. */
  readonly functions?: string;
  /** The expression only picks a part of its argument: it is written in place and costs nothing to repeat. */
  readonly isAccess?: boolean;
  /** What shaders compute instead, where f32 or WGSL's own functions need another way to the same values. */
  readonly shader?: ShaderElement;
  /** What a CPU runs instead, where the loop made of the text is over 1.3 times slower or less exact: say by how much. */
  readonly loop?: ElementLoop;
}

/** Functions in kernel text, and those that they call. */
export interface FunctionText {
  readonly text: string;
  readonly requires?: readonly FunctionText[];
}

export interface ShaderElement {
  /** An expression like the overload's, in f32; of `known`, whose kth is argument k's value where it is a scalar constant. */
  readonly text: string | ((known: readonly (number | undefined)[]) => string);
  readonly functions?: readonly FunctionText[];
}

/**
 * `args[k]` holds `count` elements of components(inputs[k]) interleaved values; `out` likewise, and may be an argument with
 * as many components. Booleans are 0 and 1.
 */
export type ElementLoop = (args: readonly Float64Array[], out: Float64Array, count: number) => void;

export interface ElementFilter extends FilterBase {
  readonly kind: "element";
  readonly overloads: readonly ElementOverload[];
  /** The two operands may be swapped: a+b and b+a are one. */
  readonly commutative?: boolean;
  /** The filter that one argument alone is meant for: min(f) is minimum(f). */
  readonly ofOne?: string;
}

/** Values as CPU twins read them: loops over more types of array than two are several times slower. */
export type NumberArray = Float32Array | Float64Array;

/** A number for each value along x, y and z. */
export type AxisTables = readonly [x: Float64Array, y: Float64Array, z: Float64Array];

/** What a stencil reads on a CPU: component c of element e is `values[e · stride + offset + c]`. */
export interface Neighborhood {
  readonly dims: readonly [number, number, number];
  readonly values: NumberArray;
  readonly components: number;
  /** Values from one element to the next, where it is not `components`. */
  readonly stride?: number;
  /** Where the first element begins, where it is not 0. */
  readonly offset?: number;
  /** 1 / (x[i+1] − x[i−1]), indices clamped; 0 along a flat direction. */
  readonly inverseSpans: AxisTables;
  /** 1 / (x[i+1] − x[i]); 0 at the last. */
  readonly inverseSteps: AxisTables;
}

export type StencilInput = "scalar" | "vec2" | "vec3";

/** One typing of a filter that reads its neighbours along the three directions. */
export type StencilOverload = Signature & {
  /** Planes beyond its own that an element's value depends on, along z: what blocks of a grid need of each other; infinite for any. */
  readonly radius: number;
} & (((StencilKernel | StencilTwins) & { readonly inputs: readonly [StencilInput] }) | StencilCopy);

/**
 * A stencil in kernel text (docs/kernels.md). `T` is the input's type, of reals that are f64 on a CPU and f32 in a shader. The
 * text reads
 * - the input `f`, at offsets along x, y and z or at positions inside the grid,
 * - `constants.dims: vec3<i32>` and `constants.is_flat: vec3<bool>`: whether there is one value only along a direction,
 * - in derivatives `inverse_span_x(i)`, 1 / (x[i+1] − x[i−1]) with indices clamped and 0 along a flat direction, and
 *   `inverse_step_x(i)`, 1 / (x[i+1] − x[i]); likewise of y and z.
 */
export interface StencilText {
  readonly text: string;
  /** How far it reads positions along each direction; left out where it reads offsets. */
  readonly reach?: number;
  /** What the text sets, as `out.name`. Components of the value that nothing sets are 0. */
  readonly results: readonly StencilResult[];
}

/** Component c of what the text sets is component `first` + c · `step` of the stencil's value. */
export interface StencilResult {
  readonly name: string;
  /** Of type T where it is left out. */
  readonly components?: 3;
  readonly first: number;
  readonly step: number;
}

export interface StencilKernel extends StencilText {
  /** What shaders compute instead: a text that may take bits of f32, as `Bits`, u32 with as many components as T. */
  readonly shader?: StencilText;
}

/**
 * Elements `first` … `first + count − 1` (x fastest) of the result, interleaved, where no text is, or a loop made of one is
 * over 1.3 times slower: say by how much.
 */
export type StencilLoop = (input: Neighborhood, first: number, count: number, out: Float64Array) => void;

/** A stencil that is written for each device. */
export interface StencilTwins {
  readonly shader: StencilText;
  readonly loop: StencilLoop;
}

/** Of a filter that only moves values: shaders read where `move` says. */
export interface StencilCopy {
  readonly loop: StencilLoop;
  readonly shader?: undefined;
}

export interface StencilFilter extends FilterBase {
  readonly kind: "stencil";
  readonly overloads: readonly StencilOverload[];
  /**
   * Linear, and 0 for constants: values may be fetched less an offset. Only derivatives read spans and steps. All other stencils
   * give a constant back.
   */
  readonly isDerivative?: boolean;
  /** What may be given beside the field: each choice is a stencil of its own, `name:parameter`. */
  readonly parameter?: StencilParameter;
  /** Of a filter that only moves values: where it takes each from. */
  readonly move?: Move;
}

/**
 * Where the values of a moved field come from: along axis a the source's index is (± p[from] + by) mod L, p being the result's
 * indices and L the axis's length. Each axis is `from` once.
 */
export type Move = readonly [AxisMove, AxisMove, AxisMove];

export interface AxisMove {
  readonly from: 0 | 1 | 2;
  readonly isFlipped: boolean;
  readonly by: number;
}

/** A number that is known when the text is compiled, and chooses among stencils. */
export interface StencilParameter {
  /** What it must be: "needs a radius that is a whole number from 1 to 8". */
  readonly rule: string;
  accepts(value: number): boolean;
  make(value: number): StencilFilter;
}

/** What a mesh filter's CPU twin reads. */
export interface MeshPlace {
  readonly centering: Centering;
  readonly dims: readonly [number, number, number];
  /** Coordinates of the values, and of the nodes. */
  readonly coordinates: AxisTables;
  readonly nodes: AxisTables;
  readonly part: GridPart;
}

/** Made from the grid alone: coords(), node_id(). */
export interface MeshFilter extends FilterBase {
  readonly kind: "mesh";
  readonly output: ValueType;
  /** The one centring that has such values; left out where both have. */
  readonly only?: Centering;
  /** Beside the grid's extents: coordinates of the values, or the steps between nodes. */
  readonly reads?: "positions" | "steps";
  /**
   * Kernel text that sets `out.value` at `at`, in f32. It may read `constants.low` and `high`, the grid's bounds, `first`, its first
   * node in the whole that it is a part of, and `whole`, the whole's nodes along each direction; where it reads steps,
   * `inverse_step_x(i)` of the nodes, and where it reads positions, `coordinate_x(i)`, relative to the grid's centre; likewise of y and z.
   */
  readonly text: string;
  /** Elements `first` … `first + count − 1` (x fastest), interleaved. */
  cpu(place: MeshPlace, first: number, count: number, out: Float64Array): void;
}

/** Moves values between nodes and cells by averaging neighbours. */
export interface RecenterFilter extends FilterBase {
  readonly kind: "recenter";
}

/** All values of a computed scalar, wherever they are. Those that are not finite are left out. */
export interface ScalarValues {
  statistics(): Promise<Statistics>;
  /** The value below which the share `p` lies, between the two nearest by rank; NaN where nothing is finite. */
  quantile(p: number): Promise<number>;
  /** How many lie in each of `bins` equal parts of a range, as `histogram` has it. */
  counts(range: readonly [number, number], bins: number): Promise<ArrayLike<number>>;
  /** Where the first one (x fastest) sits that is equal to `value`, one of them, in physical units. */
  positionOf(value: number): Promise<Triple>;
}

/** Makes one result of all values of a scalar that are finite: a number, a vector or a histogram. */
export interface ReductionFilter extends FilterBase {
  readonly kind: "reduction";
  /** The first input is the field; the others are numbers that are the same everywhere. */
  readonly overloads: readonly Signature[];
  /** Why it cannot do with these parameters: "needs a share from 0 to 1, but was given 2". */
  fault?(parameters: readonly number[]): string | undefined;
  /** Of a number it is the number itself. */
  readonly keepsNumbers?: boolean;
  reduce(values: ScalarValues, parameters: readonly number[]): Promise<Quantity>;
}

/** Written in terms of other filters: curl(v) is an element function of gradient(v), which curl and Q then share. */
export interface CompositeFilter extends FilterBase {
  readonly kind: "composite";
  readonly overloads: readonly CompositeOverload[];
}

export interface CompositeOverload extends Signature {
  expand<Value>(builder: FilterBuilder<Value>, inputs: readonly Value[], span?: Span): Value;
}

/** Whatever composites are expanded into; a `Value` of it stands for a value that it computes. */
export interface FilterBuilder<Value> {
  constant(values: readonly number[], span?: Span): Value;
  /** Applies a filter by name: picks the overload by the inputs' types. Throws TypeError. */
  apply(filter: string, inputs: readonly Value[], span?: Span): Value;
  typeOf(value: Value): ExpressionType;
  /** The value's components where it is the same everywhere; undefined elsewhere. */
  constantOf(value: Value): readonly number[] | undefined;
}

export type Filter =
  | ElementFilter
  | StencilFilter
  | MeshFilter
  | RecenterFilter
  | ReductionFilter
  | CompositeFilter;
