import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";

/** A surface in vectors. Triangles are counter-clockwise seen from where normals point to. */
export interface Surface {
  /** Three components a vertex, relative to the grid's center. Where there are no indices, three vertices a triangle. */
  readonly positions: Vector<"f32">;
  /** Unit vectors. */
  readonly normals: Vector<"f32">;
  /** The fields that were asked for. */
  readonly fields: readonly Vector<"f32">[];
  /**
   * What each vertex lies on, in ascending order where vertices are welded: those of one id are equal to the bit. None
   * after a clip.
   */
  readonly ids: Vector<"u32"> | undefined;
  /** Three vertices a triangle. */
  readonly indices: Vector<"u32"> | undefined;
  /** Each triangle's cell, x fastest, where it was asked for. */
  readonly cells: Vector<"u32"> | undefined;
  /** Lets all of them go. */
  release(): void;
}

/** Makes a surface of vectors that outlive `vectors`. */
export function handOut(vectors: Vectors, parts: Omit<Surface, "release">): Surface {
  const { positions, normals, fields, ids, indices, cells } = parts;
  const all = [positions, normals, ...fields, ids, indices, cells].flatMap((vector) => vector ?? []);
  for (const vector of all) vectors.handOut(vector);
  return {
    ...parts,
    release: () => {
      for (const vector of all) vector.release();
    },
  };
}

/** Holds all vectors that a kernel made. */
export async function holdAll<R extends Readonly<Record<string, Vector>>>(
  vectors: Vectors,
  made: R | Promise<R>,
): Promise<R> {
  const results = await made;
  await Promise.all(Object.values(results).map((vector) => vectors.hold(vector)));
  return results;
}
