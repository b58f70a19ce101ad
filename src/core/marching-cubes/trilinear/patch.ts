/**
 * Triangles in a cell, counter-clockwise seen from the side of higher values, as triples of cut edges, and fans: an inner
 * vertex with a triangle to each side of a polygon of cut edges around it.
 */
export interface Patch {
  readonly triangles: readonly number[];
  readonly fans: readonly (readonly number[])[];
}

/** Fans that a cell has at most. */
export const maxFans = 2;
