/** Element types of vectors: one 32-bit word each. */
export type ScalarType = "u32" | "i32" | "f32";

export type HostArray<T extends ScalarType = ScalarType> = T extends "u32"
  ? Uint32Array
  : T extends "i32"
    ? Int32Array
    : Float32Array;

/**
 * A sequence of elements somewhere: in host memory, on a GPU, over ranks. Only the Primitives that made a vector can
 * use it. Whoever was given it releases it once; views keep nothing alive and need no release.
 */
export interface Vector<T extends ScalarType = ScalarType> {
  readonly type: T;
  /** Elements, not words. */
  readonly length: number;
  /** Words per element, 1 to 4, interleaved. Arithmetic takes 1; what only moves elements takes any. */
  readonly components: number;
  release(): void;
}
