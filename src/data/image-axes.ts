/** How the axes of an image lie in space. */
export interface ImageAxes {
  /** Negative where an axis points backwards. */
  readonly spacing: readonly number[];
  readonly origin: readonly number[];
  readonly notes: readonly string[];
}

/**
 * The axes of an image whose elements are a vector apart along each, from a first element on: those of space if they lie along
 * them, else their own, with a note. Undefined if they are not at right angles.
 */
export function placeAxes(
  vectors: readonly (readonly number[])[],
  first: readonly number[],
): ImageAxes | undefined {
  const lengths = vectors.map((vector) => Math.hypot(...vector));
  const along = (i: number, j: number) => vectors[i].reduce((sum, x, k) => sum + x * (vectors[j][k] ?? 0), 0);
  for (let i = 0; i < vectors.length; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.abs(along(i, j)) > 1e-6 * lengths[i] * lengths[j]) return undefined;
    }
  }
  const isAligned = vectors.every((vector, i) => Math.abs(vector[i] ?? 0) > lengths[i] * (1 - 1e-9));
  if (isAligned) {
    return { spacing: vectors.map((v, i) => v[i]), origin: vectors.map((_, i) => first[i] ?? 0), notes: [] };
  }
  const note = "The image is rotated in space; it is shown along its own axes, starting at 0.";
  return { spacing: lengths, origin: vectors.map(() => 0), notes: [note] };
}
