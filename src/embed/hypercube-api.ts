import type { BitLayout } from "../core/hypercube/bits.ts";
import type { Border } from "../core/hypercube/coordinates.ts";
import type { Shape } from "../core/hypercube/shape.ts";
import type { TypedArray } from "./api.ts";

export type { BitLayout, Border, Shape };

/** A transform of arrays of one shape, simplified. Formulas speak of the coordinates of the result, x the fastest. */
export interface LayoutMap {
  readonly from: Shape;
  readonly to: Shape;
  /** `out[y, x] = in[y, (x + 3) mod 8]` */
  readonly formula: string;
  /** The same of whole arrays as rows, the effective k-index: `out[k] = in[63 − k]`. */
  readonly indexFormula: string;
  /** Whether each element of the source is one of the result, so that there is an inverse. */
  readonly isBijection: boolean;
  /** Whether it exchanges elements in pairs, so that it can be done in place. */
  readonly isInPlace: boolean;
  /** The source's index of an element of the result; undefined where the result is 0. */
  sourceIndex(index: number): number | undefined;
  /** One map that makes this one and then the others. Throws BadArgument where the shapes do not fit. */
  followedBy(...maps: readonly LayoutMap[]): LayoutMap;
  /** The map back. Throws BadArgument where it is no bijection. */
  inverse(): LayoutMap;
}

export interface ApplyOptions {
  /** "auto" takes a GPU where there is one, else the CPU. */
  readonly device?: "auto" | "gpu" | "cpu" | GPUDevice;
  /** Values of an element, side by side: 3 for vectors, 2 for complex numbers (1). */
  readonly components?: number;
  /** The array that takes the result; the source itself where the map can be done in place. */
  readonly out?: TypedArray;
}

export interface Applied<Data> {
  readonly data: Data;
  readonly report: {
    readonly device: "gpu" | "cpu";
    /** The adapter's name, or “CPU”. */
    readonly description: string;
    /** Transfers to and from the GPU included. */
    readonly ms: number;
  };
  readonly notes: readonly string[];
}

export interface PrepareLayoutOptions {
  /** The caller's device, whose buffers are to be rearranged. */
  readonly device: GPUDevice;
  readonly elementBytes: 1 | 2 | 4 | 8 | 16;
}

/** A map compiled for buffers of one device. */
export interface PreparedLayout {
  /**
   * Submits what the map makes of a buffer into another one, or of a buffer in place where `target` is left out. Nothing waits, nothing
   * is copied. Elements begin at the buffers' first bytes; the last word is padded with zeros. Throws BadArgument.
   */
  run(source: GPUBuffer, target?: GPUBuffer): void;
}

/** Hypercubic arrays: shapes, indices, neighbours, and transforms of layouts. Axis 0 is the fastest. All throws are CrinkleError. */
export interface Hypercube {
  /** The shape of a text, such as `[64,32,float32]`, the fastest axis last. Throws SyntaxError, BadArgument. */
  parseShape(text: string): Shape;
  printShape(shape: Shape): string;
  /** The shape whose slow axes are those of the first, and whose fast ones are those of the second. Throws BadArgument. */
  product(slow: Shape, fast: Shape): Shape;
  /** The shape as a product of two, the second with its `fastAxes` fastest axes. Throws BadArgument. */
  decompose(shape: Shape, fastAxes: number): readonly [slow: Shape, fast: Shape];
  /** What an index grows by along each axis. */
  strides(shape: Shape): number[];
  toIndex(shape: Shape, coordinates: readonly number[]): number;
  toCoordinates(shape: Shape, index: number): number[];
  /** The index of the neighbour at a distance of any sign; undefined beyond a fixed border. Throws BadArgument. */
  neighbor(shape: Shape, index: number, axis: number, distance: number, border?: Border): number | undefined;
  /** Where each axis has its bits in an index. Throws BadArgument unless all lengths are powers of two. */
  bits(shape: Shape): BitLayout;
  /**
   * The map of a transform's text, such as `shift(x, -3) | crinkle(y, 2)`, for a shape or its text. Throws SyntaxError, UnknownName and
   * BadArgument with the place in the text.
   */
  map(shape: Shape | string, transform: string): LayoutMap;
  /** One map that makes these, the first one first. Throws BadArgument where the shapes do not fit. */
  compose(first: LayoutMap, ...others: readonly LayoutMap[]): LayoutMap;
  /** What the map makes of an array, in one pass. Throws BadArgument, TooLarge, OutOfMemory, NoWebGPU, DeviceLost. */
  apply<Data extends TypedArray>(map: LayoutMap, data: Data, options?: ApplyOptions): Promise<Applied<Data>>;
  /**
   * Compiles a map for GPU buffers, to be run again and again; an array that is larger than a binding of the device is bound in parts.
   * Throws BadArgument, TooLarge, DeviceLost.
   */
  prepare(map: LayoutMap, options: PrepareLayoutOptions): Promise<PreparedLayout>;
}
