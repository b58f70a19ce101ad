import type { NetworkBuilder } from "../network/builder.ts";
import type { NodeId } from "../network/network.ts";
import type { ValueType } from "../types.ts";

/** Documentation of one filter: what completion, hover and the reference show. */
export interface FilterDoc {
  /** As typed: "curl(v)". */
  readonly signature: string;
  /** One sentence. */
  readonly summary: string;
  /** Formula in plain text, where one says more than the summary. */
  readonly formula?: string;
  readonly example: string;
  /** Heading in the reference: "Operators", "Mathematics", "Vectors", "Derivatives", "Vortices", "Mesh". */
  readonly group: string;
}

interface FilterBase {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly doc: FilterDoc;
}

export interface Signature {
  readonly inputs: readonly ValueType[];
  readonly output: ValueType;
}

/**
 * One typing of a filter that reads its own element only. `wgsl` and `cpu` are twins: the same function of one
 * element in the shader and in JavaScript; one conformance test compares them for every overload.
 */
export interface ElementOverload extends Signature {
  /** Maps argument expressions to an expression of the output's WGSL type. */
  wgsl(args: readonly string[]): string;
  /** WGSL functions that the expression calls; each is emitted once. */
  readonly fragments?: readonly string[];
  /**
   * `args[k]` holds `count` elements of components(inputs[k]) interleaved values; `out` likewise. Booleans are 0, 1.
   */
  cpu(args: readonly Float64Array[], out: Float64Array, count: number): void;
}

export interface ElementFilter extends FilterBase {
  readonly kind: "element";
  readonly overloads: readonly ElementOverload[];
  /** The two operands may be swapped: a+b and b+a are one. */
  readonly commutative?: boolean;
}

/** What a stencil's CPU twin reads: a whole array on its grid. */
export interface Neighborhood {
  readonly dims: readonly [number, number, number];
  /** Interleaved values. */
  readonly values: ArrayLike<number>;
  readonly components: number;
  readonly coordinates: readonly [Float64Array, Float64Array, Float64Array];
}

/**
 * One typing of a filter that reads its neighbours along the three directions. In WGSL the compiler provides,
 * per stencil input s: `fetch_s(i, j, k)` of the input's type at clamped indices, and the grid functions
 * `coordinate(axis, i)` and `inverseSpan(axis, i)` (see GridTables).
 */
export interface StencilOverload extends Signature {
  readonly radius: number;
  /** Body of `fn name(p: vec3i, dims: vec3i) -> output`, given the name of the fetch function. */
  wgsl(fetch: string): string;
  readonly fragments?: readonly string[];
  /** Elements `first` … `first + count − 1` (x fastest) of the result, interleaved. */
  cpu(input: Neighborhood, first: number, count: number, out: Float64Array): void;
}

export interface StencilFilter extends FilterBase {
  readonly kind: "stencil";
  readonly overloads: readonly StencilOverload[];
}

/** Made from the grid alone: coords(), x, y, z. */
export interface MeshFilter extends FilterBase {
  readonly kind: "mesh";
  readonly output: ValueType;
}

/** Moves values between nodes and cells by averaging neighbours. */
export interface RecenterFilter extends FilterBase {
  readonly kind: "recenter";
}

/** Written in terms of other filters: curl(v) is an element function of gradient(v), which curl and Q then share. */
export interface CompositeFilter extends FilterBase {
  readonly kind: "composite";
  readonly overloads: readonly (Signature & {
    expand(network: NetworkBuilder, inputs: readonly NodeId[]): NodeId;
  })[];
}

export type Filter = ElementFilter | StencilFilter | MeshFilter | RecenterFilter | CompositeFilter;
