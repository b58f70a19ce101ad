/** What is known of a mesh besides its numbers. */
export interface MeshOptions {
  /** What the scalar is called, where there is one. */
  readonly scalarName?: string;
  /** Writes red, green and blue (sRGB, 0 to 255) of a vertex to target[at], target[at + 1] and target[at + 2]. */
  readonly color?: (vertex: number, target: Uint8Array, at: number) => void;
}
