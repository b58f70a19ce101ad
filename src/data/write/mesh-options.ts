import type { DType, TypedArray } from "../../core/dtype.ts";

/** Values of a mesh's vertices or triangles, interleaved. */
export interface MeshArray {
  readonly name: string;
  readonly components: number;
  readonly dtype: DType;
  readonly data: TypedArray;
}

/** What a mesh carries besides its scalars. */
export interface MeshArrays {
  readonly vertices: readonly MeshArray[];
  readonly triangles: readonly MeshArray[];
}

/** Metadata of a mesh. */
export interface MeshOptions {
  /** The scalar's name, if there is one. */
  readonly scalarName?: string;
  /** Writes red, green and blue (sRGB, 0 to 255) of a vertex to target[at], target[at + 1] and target[at + 2]. */
  readonly color?: (vertex: number, target: Uint8Array, at: number) => void;
  /** Further arrays, for formats that hold them; of several with the same name the first is kept. */
  readonly arrays?: MeshArrays;
}
