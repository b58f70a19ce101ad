/**
 * The cell's numbering. Corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge e runs along axis e >> 2 from its
 * lower corner; e & 3 counts the two other coordinates in binary, the lower axis as the low bit.
 */
export const edgeCount = 12;

/** Lower corner of each edge; the upper one is that plus `1 << axis`. */
export const edgeLow: readonly number[] = Array.from({ length: edgeCount }, (_, edge) => {
  const low = edge & 1;
  const high = (edge >> 1) & 1;
  switch (edge >> 2) {
    case 0:
      return (low << 1) | (high << 2);
    case 1:
      return low | (high << 2);
    default:
      return low | (high << 1);
  }
});

export const edgeHigh: readonly number[] = edgeLow.map((corner, edge) => corner | (1 << (edge >> 2)));

/** The number of the edge between two neighbouring corners. */
export function edgeBetween(a: number, b: number): number {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  return edgeLow.findIndex((corner, edge) => corner === low && edgeHigh[edge] === high);
}

/** The corners of the six faces, counter-clockwise seen from outside: low and high x, y, z. */
export const faces: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];

/** For each edge, the two faces it borders, as a set of bits. */
export const edgeFaces: readonly number[] = edgeLow.map((low, edge) =>
  faces.reduce(
    (bits, corners, face) =>
      corners.includes(low) && corners.includes(edgeHigh[edge]) ? bits | (1 << face) : bits,
    0,
  ),
);
