import { faces } from "../cube.ts";

const alternates = (corners: readonly number[], above: number): boolean => {
  const [a, b, c, d] = corners.map((corner) => (above >> corner) & 1);
  return a === c && b === d && a !== b;
};

/** For each of the 256 cases, the faces whose corners lie alternately above and below, as bits. */
export const ambiguousFaces: Uint8Array = Uint8Array.from({ length: 256 }, (_, above) =>
  faces.reduce((bits, corners, face) => (alternates(corners, above) ? bits | (1 << face) : bits), 0),
);

/**
 * The ambiguous faces that join their two corners above (the asymptotic decider of Nielson and Hamann 1991): those
 * where the saddle of the bilinear interpolant is above, which is where the product of the two values above exceeds
 * that of the two below. `values` are the corners' values less the isovalue. A saddle of 0 is not above, as a
 * corner of 0 is not; this depends on the face's four values alone, so that both its cells decide alike.
 */
export function joinedFaces(above: number, values: ArrayLike<number>): number {
  const ambiguous = ambiguousFaces[above];
  let joined = 0;
  for (let face = 0; face < 6; face++) {
    if (((ambiguous >> face) & 1) === 0) continue;
    const [a, b, c, d] = faces[face];
    const first = values[a] * values[c];
    const second = values[b] * values[d];
    const isFirstAbove = ((above >> a) & 1) === 1;
    if (isFirstAbove ? first > second : second > first) joined |= 1 << face;
  }
  return joined;
}
