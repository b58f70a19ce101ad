/**
 * A surface as marching cubes leaves it: 32 bytes per vertex and three vertex numbers per triangle. Words 0–2 of a
 * vertex are its position relative to a center, 3–5 the unit normal, 6 the scalar for colour, all f32; word 7 is
 * the u32 number of the grid edge it lies on, 3 · (edge's lower point) + (edge's axis), or, of a vertex inside a cell,
 * points · (3 + its slot in the cell) + (cell's least point). Several vertices may have one number; they are then equal
 * to the bit.
 */
export interface SurfaceRecords {
  readonly vertices: ArrayBuffer;
  readonly indices: Uint32Array;
}

/** Words of a vertex, and the word at which each part begins. */
export const vertexWords = 8;
export const normalWord = 3;
export const scalarWord = 6;
export const edgeWord = 7;
export const vertexBytes = vertexWords * 4;
