/** A patch's vertices: cut edges of the cell, then vertices inside it, numbered from here. */
export const firstInner = 12;

/** How kernels number that one, after the cell's edges: lower corner | axis << 3. */
export const firstInnerBits = 24;

/** Vertices that a patch has inside its cell at most. */
export const maxInner = 6;

/** Triangles in a cell, counter-clockwise seen from the side of lower values. */
export interface Patch {
  readonly triangles: readonly number[];
  /** The cut edges around the inner vertex of each fan. Fans' vertices come first, then the six of a ring. */
  readonly fans: readonly (readonly number[])[];
}
