import { edgeBetween, edgeCount, faces } from "./cube.ts";

/**
 * The directed segments in which a face of the cell is cut: pairs of cube edges, the region above the isovalue on
 * the left of each, seen from outside the cell. Where all four edges of the face are cut, the two corners above
 * are separated unless `isJoined`; both cells that share a face decide by its corners alone, so their segments coincide.
 */
export function faceSegments(
  corners: readonly number[],
  above: number,
  isJoined = false,
): [number, number][] {
  const isAbove = (corner: number) => ((above >> corner) & 1) === 1;
  const segments: [number, number][] = [];
  for (let at = 0; at < 4; at++) {
    const here = corners[at];
    const next = corners[(at + 1) % 4];
    if (!isAbove(here) || isAbove(next)) continue;
    const beyond = corners[(at + 2) % 4];
    if (isJoined && isAbove(beyond)) {
      segments.push([edgeBetween(here, next), edgeBetween(next, beyond)]);
      continue;
    }
    let first = at;
    while (isAbove(corners[(first + 3) % 4])) first = (first + 3) % 4;
    segments.push([edgeBetween(here, next), edgeBetween(corners[(first + 3) % 4], corners[first])]);
  }
  return segments;
}

/**
 * The closed loops of cut edges in which the surface meets the boundary of a cell, for one of the 256 sets of
 * corners above the isovalue. Each loop is counter-clockwise seen from the side of higher values. `joined` has a bit
 * for each face that joins its two corners above.
 */
export function contourLoops(above: number, joined = 0): number[][] {
  const following = new Int8Array(edgeCount).fill(-1);
  for (const [face, corners] of faces.entries()) {
    const isJoined = ((joined >> face) & 1) === 1;
    for (const [from, to] of faceSegments(corners, above, isJoined)) following[from] = to;
  }
  const loops: number[][] = [];
  for (let start = 0; start < edgeCount; start++) {
    if (following[start] < 0) continue;
    const loop: number[] = [];
    for (let edge = start; following[edge] >= 0; ) {
      loop.push(edge);
      const next = following[edge];
      following[edge] = -1;
      edge = next;
    }
    loops.push(loop);
  }
  return loops;
}
