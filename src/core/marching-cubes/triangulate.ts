import { edgeFaces, edgeHigh, edgeLow } from "./cube.ts";

/** Twice the middle of a cube edge: integers, so that equal lengths compare equal. */
function doubledMiddle(edge: number): [number, number, number] {
  const low = edgeLow[edge];
  const high = edgeHigh[edge];
  return [0, 1, 2].map((axis) => ((low >> axis) & 1) + ((high >> axis) & 1)) as [number, number, number];
}

/** A chord that lies in a face may coincide with the neighbour's: four triangles would then share it. */
const faceChordCost = 1000;

function chordCost(a: number, b: number): number {
  const p = doubledMiddle(a);
  const q = doubledMiddle(b);
  const squaredLength = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2;
  return squaredLength + ((edgeFaces[a] & edgeFaces[b]) !== 0 ? faceChordCost : 0);
}

/** Whether a triangulation's inner edge between two cut edges lies in a face of the cell. */
export function isFaceChord(a: number, b: number): boolean {
  return chordCost(a, b) >= faceChordCost;
}

/**
 * The triangulation of a loop with the fewest chords in the cell's faces, then the shortest chords (cut edges
 * taken at their middles), by dynamic programming over sub-polygons (Klincsek 1980). Triangles turn against the loop:
 * loops are counter-clockwise seen from higher values, facets from lower ones.
 */
export function triangulateLoop(loop: readonly number[]): [number, number, number][] {
  const n = loop.length;
  const cost = Array.from({ length: n }, () => new Float64Array(n));
  const apex = Array.from({ length: n }, () => new Int8Array(n));
  const chord = (i: number, j: number) =>
    j - i === 1 || (i === 0 && j === n - 1) ? 0 : chordCost(loop[i], loop[j]);
  for (let span = 2; span < n; span++) {
    for (let i = 0; i + span < n; i++) {
      const j = i + span;
      cost[i][j] = Number.POSITIVE_INFINITY;
      for (let k = i + 1; k < j; k++) {
        const total = cost[i][k] + cost[k][j] + chord(i, k) + chord(k, j);
        if (total < cost[i][j]) {
          cost[i][j] = total;
          apex[i][j] = k;
        }
      }
    }
  }
  const triangles: [number, number, number][] = [];
  const emit = (i: number, j: number) => {
    if (j - i < 2) return;
    const k = apex[i][j];
    emit(i, k);
    triangles.push([loop[i], loop[j], loop[k]]);
    emit(k, j);
  };
  emit(0, n - 1);
  return triangles;
}
