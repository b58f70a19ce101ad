import type { TypedArray } from "../core/dtype.ts";
import type { Histogram } from "../core/histogram.ts";
import type { TriangleMesh } from "../core/mesh.ts";

export type { Histogram, TriangleMesh, TypedArray };

/** Numbers along one direction of a grid. */
export type Coordinates = TypedArray | readonly number[];

/** A grid with equal steps: `origin` is 0, 0, 0 and `spacing` 1, 1, 1 where they are left out. */
export interface UniformGridInput {
  /** Nodes along x, y and z; x varies fastest in memory. A direction of one node is flat. */
  readonly dims: Coordinates;
  readonly origin?: Coordinates;
  readonly spacing?: Coordinates;
}

/** A grid whose node coordinates along x, y and z are listed, increasing. */
export interface RectilinearGridInput {
  readonly axes: readonly [Coordinates, Coordinates, Coordinates];
}

export type GridInput = UniformGridInput | RectilinearGridInput;

export interface FieldShape {
  /** Values a node or cell: 1 a scalar, 2 or 3 a vector, 9 a row-major tensor. */
  readonly components: number;
  readonly centering: "node" | "cell";
}

/**
 * A field in host memory, read and never written. Components of a node or cell are neighbours. Without `components`
 * they follow from the array's length; `centering` is "node" where it is left out.
 */
export type HostFieldInput = TypedArray | ({ readonly data: TypedArray } & Partial<FieldShape>);

/**
 * A field in GPU memory, read and never written, of f32: one plane a component, so that value c of element i is word
 * c · count + i from `offset` (bytes, 0) on. The buffer needs the usage STORAGE.
 */
export interface BufferFieldInput extends Partial<FieldShape> {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
}

export interface HostData {
  readonly grid: GridInput;
  readonly fields: Readonly<Record<string, HostFieldInput>>;
}

export interface BufferData {
  readonly grid: GridInput;
  readonly fields: Readonly<Record<string, BufferFieldInput>>;
}

export type StrategyName = "roundtrip" | "staged" | "fusion" | "streamed";

export type DeriveEvent =
  /** `fraction` in [0, 1] of what `step` names. */
  | { readonly kind: "progress"; readonly fraction: number; readonly step: string }
  /** A sentence about what was decided: why there is no GPU, where a value was moved. */
  | { readonly kind: "note"; readonly text: string };

export interface DeriveOptions {
  /** How a GPU computes: chosen by memory and time where it is left out or "auto". GPU buffers take fusion or staged. */
  readonly strategy?: StrategyName | "auto";
  /** "auto" takes a GPU where there is one, else the CPU. A device of the caller's own is never destroyed. */
  readonly device?: "auto" | "gpu" | "cpu" | GPUDevice;
  /** Bytes that may be held on the GPU, the fields included. */
  readonly memory?: number;
  /** Names of statements whose values are wanted: those that no later statement builds on where it is left out. */
  readonly outputs?: readonly string[];
  readonly onEvent?: (event: DeriveEvent) => void;
  readonly signal?: AbortSignal;
}

/** What a run moved, held and took. */
export interface DeriveReport {
  readonly device: "gpu" | "cpu";
  /** The adapter's name, or "CPU". */
  readonly description: string;
  /** Threads of the CPU that computed: 1 for little work, or where memory cannot be shared; 0 on a GPU. */
  readonly threads: number;
  /** Undefined on the CPU. */
  readonly strategy: StrategyName | undefined;
  /** Why this strategy, where it was chosen automatically. */
  readonly reason: string | undefined;
  /** Arrays sent to the GPU, coordinates included, and arrays that came back. */
  readonly uploads: number;
  readonly downloads: number;
  readonly kernels: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** The most bytes in arrays on the GPU at once, the fields' included; 0 on the CPU. */
  readonly peakBytes: number;
  /** From the first byte sent to the last one back; where results stay on the GPU, until all was submitted. */
  readonly ms: number;
}

/**
 * Components of a node or cell are neighbours; booleans are 0 and 1. A CPU gives f64 where f32 would round a field that the values
 * come from (f64, or integers beyond 2²⁴); all else, and what a GPU gives, is f32.
 */
export interface HostField extends FieldShape {
  readonly data: Float32Array | Float64Array;
}

/** Planes of f32 as in `BufferFieldInput`, from the buffer's first byte on. Usage: STORAGE | COPY_SRC | COPY_DST. */
export interface BufferField extends FieldShape {
  readonly buffer: GPUBuffer;
}

/** Results by the names of their statements; a lone expression is called “result”. */
export interface Derived<Field> {
  /** Those that vary from place to place. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Those that are one number everywhere, such as avg(p) and quantile(p, 0.9); booleans are 0 and 1. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Those that are a vector or a tensor (by rows) everywhere, such as max_position(p). */
  readonly vectors: Readonly<Record<string, readonly number[]>>;
  readonly histograms: Readonly<Record<string, Histogram>>;
  readonly report: DeriveReport;
  readonly notes: readonly string[];
}

/** A field that a network may read. */
export interface NamedFieldShape extends FieldShape {
  readonly name: string;
}

/**
 * A dataflow network made by hand, for `derive` and `prepare` in place of a text. Equal values are computed once, and
 * what no sink needs is left out. Sources, constants and filters share one set of names; each `add…` returns the name,
 * and makes one up where none is given. All methods throw CrinkleError.
 */
export interface DataflowNetwork {
  /** A field, or one component of it. Throws UnknownName. */
  addSource(field: string, options?: { readonly name?: string; readonly component?: number }): string;
  /** A value that is the same everywhere: a number, a boolean, or the components of a vector or a tensor (by rows). */
  addConstant(value: number | boolean | readonly number[], name?: string): string;
  /** A filter of the function reference, or an operator by name (add, multiply, component_0 …). Throws UnknownName. */
  addFilter(type: string, name?: string): string;
  /**
   * Makes the value of `source` the input of `target` at a port: its number from 0, or its name in the reference. Throws
   * UnknownName, and BadArgument for a port that is taken and for cycles.
   */
  connect(source: string, target: string, port: string | number): void;
  disconnect(target: string, port: string | number): void;
  /** Names a result. */
  addSink(name: string, source: string): void;
  /** The calls that rebuild the network, in JavaScript. Throws BadArgument for open ports, TypeError. */
  toScript(): string;
  /** The network in Graphviz's language. Throws as `toScript`. */
  toDot(): string;
}

/** An empty network over these fields; data must have those that it reads, of the same shapes. Throws BadArgument. */
export type CreateNetwork = (fields: readonly NamedFieldShape[]) => DataflowNetwork;

export interface Derive {
  /**
   * Computes an expression over fields of the host, and gives arrays of its own. Throws CrinkleError: SyntaxError,
   * UnknownName, TypeError (with the place in the text), BadArgument, TooLarge, OutOfMemory, NoWebGPU, DeviceLost,
   * Cancelled.
   */
  (
    expression: string | DataflowNetwork,
    data: HostData,
    options?: DeriveOptions,
  ): Promise<Derived<HostField>>;
  /**
   * The same over GPU buffers of the caller's `device`: nothing is copied, and nothing waits for the GPU unless numbers or
   * histograms are to be known. The buffers of the result are the caller's, who destroys them.
   */
  (
    expression: string | DataflowNetwork,
    data: BufferData,
    options: DeriveOptions & { readonly device: GPUDevice },
  ): Promise<Derived<BufferField>>;
}

/** The scalar at the nodes that a surface is cut from, and another that gives its vertices values: statements' names. */
export interface SurfaceInput {
  readonly field: string;
  readonly colorBy?: string;
  /** Three vertices for each triangle, with the field's gradient or its facet as normals, instead of shared vertices. */
  readonly soup?: "smooth" | "flat";
  /** "trilinear": in ambiguous cells the topology of the trilinear interpolant, instead of the table's of marching cubes. */
  readonly topology?: "table" | "trilinear";
}

export interface PrepareOptions extends DeriveOptions {
  /** What `isosurface` cuts; it stays where it was computed unless `outputs` names it too. */
  readonly surface?: SurfaceInput;
}

/** A surface in GPU memory: what a renderer draws from, until the next `run` or `isosurface`. */
export interface SurfaceBuffers {
  /** 32 bytes a vertex: position relative to `center` (3 f32), normal (3 f32), scalar (f32), grid edge (u32). */
  readonly vertices: GPUBuffer;
  /** u32, three a triangle. */
  readonly indices: GPUBuffer;
  /** The five words of an indexed indirect draw; of a soup the first four are those of one without indices. */
  readonly draw: GPUBuffer;
  readonly center: readonly [number, number, number];
}

/** Facets face lower values, and normals point to these: in buffers always, in a mesh unless it is wanted otherwise. */
export interface Surface {
  readonly triangles: number;
  /** Undefined on the CPU. */
  readonly buffers: SurfaceBuffers | undefined;
  /** The surface on the host, in units of the grid: a copy where it lies on the GPU. Ask before the next `run`. */
  mesh(options?: MeshOptions): Promise<TriangleMesh>;
}

export interface MeshOptions {
  /** Facets and normals the other way, towards higher values. */
  readonly reverseFacets?: boolean;
}

/** An expression compiled for one grid and one shape of fields, to be run again and again. */
export interface Prepared<Input, Field> {
  /**
   * Computes the outputs from new values: fields that are left out keep the last ones. Nothing is compiled. Buffers of
   * the result are the preparation's and hold this step until the next; arrays are the caller's. Throws as `derive`.
   */
  run(fields?: Readonly<Record<string, Input>>): Promise<Derived<Field>>;
  /** The isosurface of the last `run`'s field. Throws BadArgument, TooLarge, OutOfMemory, DeviceLost, Cancelled. */
  isosurface(isovalue: number): Promise<Surface>;
  /** Frees what the preparation holds on the GPU. */
  release(): void;
}

export interface Prepare {
  /** Compiles an expression for a loop over time steps; `data` gives the shapes, and the values of fields that stay. */
  (
    expression: string | DataflowNetwork,
    data: HostData,
    options?: PrepareOptions,
  ): Promise<Prepared<HostFieldInput, HostField>>;
  (
    expression: string | DataflowNetwork,
    data: BufferData,
    options: PrepareOptions & { readonly device: GPUDevice },
  ): Promise<Prepared<BufferFieldInput, BufferField>>;
}
