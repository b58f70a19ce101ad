import { contourLoops } from "../contour.ts";
import { ambiguousFaces, joinedFaces } from "./faces.ts";
import { innerConnections } from "./inner-connection.ts";
import { patchesOf } from "./patches.ts";
import { fanPlace } from "./place.ts";

/** The cases whose corners leave the topology open: they have an ambiguous face, or more than one loop. */
export const isOpenCase: readonly boolean[] = Array.from(
  { length: 256 },
  (_, above) => ambiguousFaces[above] !== 0 || contourLoops(above).length > 1,
);

/** The surface in a cell. */
export interface CellSurface {
  /** Three vertices each: a cut edge of the cell, or, from `firstInner`, one inside it. */
  readonly triangles: readonly number[];
  /** Where the inner vertices lie, with coordinates in 0 … 1. */
  readonly inner: readonly (readonly number[])[];
}

const none: readonly (readonly number[])[] = [];

/**
 * The surface in a cell with the topology of the trilinear interpolant (after Chernyaev 1995), from its corners'
 * values less the isovalue; corners are above where these are positive. `above` has a bit for each of them.
 */
export function trilinearSurface(above: number, values: ArrayLike<number>): CellSurface {
  const { plain, tunnels } = patchesOf(above, joinedFaces(above, values));
  if (tunnels.length > 0) {
    for (const { kind, ring } of innerConnections(above, values)) {
      const patch = tunnels[kind];
      if (patch) return { triangles: patch.triangles, inner: ring };
    }
  }
  const { triangles, fans } = plain;
  return { triangles, inner: fans.length > 0 ? fans.map((polygon) => fanPlace(values, polygon)) : none };
}
