import { contourLoops } from "../contour.ts";
import { isFaceChord, triangulateLoop } from "../triangulate.ts";
import { annulus } from "./annulus.ts";
import { ambiguousFaces, joinedFaces } from "./faces.ts";
import type { Patch } from "./patch.ts";
import { joinedInside, tunnelLoops } from "./tunnel.ts";

/** The cases whose corners leave the topology open: they have an ambiguous face, or more than one loop. */
export const isOpenCase: readonly boolean[] = Array.from(
  { length: 256 },
  (_, above) => ambiguousFaces[above] !== 0 || contourLoops(above).length > 1,
);

interface Outline {
  readonly loops: readonly (readonly number[])[];
  /** By the loops' numbers that a tunnel joins; without one at −1. */
  readonly patches: Map<number, Patch>;
}

const outlines = new Map<number, Outline>();

/**
 * The surface in a cell with the topology of the trilinear interpolant (after Chernyaev 1995), from its corners'
 * values less the isovalue; corners are above where these are positive. `above` has a bit for each of them.
 */
export function trilinearPatch(above: number, values: ArrayLike<number>): Patch {
  const joined = joinedFaces(above, values);
  const outline = outlineOf(above, joined);
  const tunnel = outline.loops.length > 1 ? tunnelIn(above, joined, outline, values) : undefined;
  return patchWith(outline, tunnel);
}

function outlineOf(above: number, joined: number): Outline {
  const key = above | (joined << 8);
  let outline = outlines.get(key);
  if (!outline) {
    outline = { loops: contourLoops(above, joined), patches: new Map() };
    outlines.set(key, outline);
  }
  return outline;
}

function tunnelIn(
  above: number,
  joined: number,
  { loops }: Outline,
  values: ArrayLike<number>,
): readonly [number, number] | undefined {
  for (const pair of joinedInside(values)) {
    const tunnel = tunnelLoops(above, joined, loops, pair);
    if (tunnel) return tunnel;
  }
  return undefined;
}

function patchWith({ loops, patches }: Outline, tunnel: readonly [number, number] | undefined): Patch {
  const key = tunnel ? tunnel[0] * loops.length + tunnel[1] : -1;
  let patch = patches.get(key);
  if (!patch) {
    const disks = loops.filter((_, loop) => !tunnel?.includes(loop)).map(disk);
    const parts = tunnel ? [...disks, annulus(loops[tunnel[0]], loops[tunnel[1]])] : disks;
    patch = {
      triangles: parts.flatMap(({ triangles }) => triangles),
      fans: parts.flatMap(({ fans }) => fans),
    };
    patches.set(key, patch);
  }
  return patch;
}

/** Around an inner vertex where the triangles would have an edge in a face of the cell otherwise. */
function disk(loop: readonly number[]): Patch {
  const triangles = triangulateLoop(loop);
  const isInFace = triangles.some((triangle) =>
    triangle.some((edge, k) => {
      const next = triangle[(k + 1) % 3];
      const step = Math.abs(loop.indexOf(edge) - loop.indexOf(next));
      return step !== 1 && step !== loop.length - 1 && isFaceChord(edge, next);
    }),
  );
  return isInFace ? { triangles: [], fans: [loop] } : { triangles: triangles.flat(), fans: [] };
}
