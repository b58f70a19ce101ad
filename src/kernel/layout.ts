/**
 * Where a kernel runs, and which parts of its inputs are at hand. Kernels speak of positions in a whole row or grid; a
 * part says which elements of it an array holds, so that the same kernel runs on a whole array, on a block with ghost
 * layers, or on a rank's share.
 */
export type Triple = readonly [x: number, y: number, z: number];

/** Elements [first, first + length) of a row of `whole` elements. */
export interface RowPart {
  readonly kind: "row";
  readonly whole: number;
  readonly first: number;
  readonly length: number;
  /** After the row's last element comes its first one: the part may go on there. Of inputs alone. */
  readonly isRing?: boolean;
}

/** The elements from `origin` on, `extents` of them along x, y and z (x fastest), of a grid of `whole` elements. */
export interface GridPart {
  readonly kind: "grid";
  readonly whole: Triple;
  readonly origin: Triple;
  readonly extents: Triple;
}

export type Part = RowPart | GridPart;

export type KernelArray = Float32Array | Float64Array | Int32Array | Uint32Array;

/**
 * What is at hand of an input: the elements of `part`, ghost layers included. Positions beyond the part are read at its
 * border, which is the whole's own border wherever the part reaches as far as the kernel's footprint.
 */
export interface InputBlock {
  readonly words: KernelArray;
  readonly part: Part;
  /** Component c of the part's element i is word lead + i · elementStride + c · componentStride. */
  readonly lead?: number;
  /** As many as the element has components where it is left out: elements lie one after the other. */
  readonly elementStride?: number;
  /** 1 where it is left out: an element's components lie side by side. */
  readonly componentStride?: number;
}

/** Numbers by the constants' names: one, or those of a vector, a matrix (column by column), an array or a struct in order. */
export type KernelConstants = Readonly<Record<string, number | readonly number[]>>;

/** The element that each result is at, instead of the result's own place; and the grid that it counts in, if any. */
export interface ElementList {
  readonly elements: Uint32Array;
  readonly grid?: Triple;
}

/** Component c of result i is word lead + i · stride + c · componentStride of its output. */
export interface ResultLayout {
  readonly lead: number;
  readonly stride: number;
  readonly componentStride: number;
}

/** One call of a kernel: it computes the results of `space`. */
export interface KernelCall {
  readonly space: Part;
  readonly inputs: Readonly<Record<string, InputBlock>>;
  readonly outputs: Readonly<Record<string, KernelArray>>;
  /** How results lie in outputs; of those left out they lie one after the other from word 0 on. */
  readonly layouts?: Readonly<Record<string, ResultLayout>>;
  readonly constants: KernelConstants;
  /** With a row as the space, whose length is that of the list. */
  readonly at?: ElementList;
}

export const wholeRow = (length: number): RowPart => ({ kind: "row", whole: length, first: 0, length });

export const wholeGrid = (whole: Triple): GridPart => ({
  kind: "grid",
  whole,
  origin: [0, 0, 0],
  extents: whole,
});

/** How many elements a part has. */
export const elementCount = (part: Part): number =>
  part.kind === "row" ? part.length : part.extents[0] * part.extents[1] * part.extents[2];

/** A block whose components are planes one after the other. */
export const planarBlock = (words: KernelArray, part: Part): InputBlock => ({
  words,
  part,
  elementStride: 1,
  componentStride: elementCount(part),
});
