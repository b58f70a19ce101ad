import { contourLoops } from "../contour.ts";
import { isFaceChord, triangulateLoop } from "../triangulate.ts";
import { annulus } from "./annulus.ts";
import { ambiguousFaces, joinedFaces } from "./faces.ts";
import { firstInner, type Patch } from "./patch.ts";
import { fanPlace } from "./place.ts";
import { innerJoints, type Ring, tunnelLoops } from "./tunnel.ts";

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

interface Outline {
  readonly loops: readonly (readonly number[])[];
  /** By the loops that a tunnel joins and how it runs; "" without one. */
  readonly patches: Map<string, Patch>;
}

interface Tunnel {
  readonly loops: readonly [number, number];
  readonly ring: Ring;
}

const outlines = new Map<number, Outline>();

const none: readonly (readonly number[])[] = [];

/**
 * The surface in a cell with the topology of the trilinear interpolant (after Chernyaev 1995), from its corners'
 * values less the isovalue; corners are above where these are positive. `above` has a bit for each of them.
 */
export function trilinearSurface(above: number, values: ArrayLike<number>): CellSurface {
  const joined = joinedFaces(above, values);
  const outline = outlineOf(above, joined);
  const tunnel = outline.loops.length > 1 ? tunnelIn(above, joined, outline, values) : undefined;
  const { triangles, fans } = patchOf(outline, tunnel);
  if (tunnel) return { triangles, inner: tunnel.ring.places };
  return { triangles, inner: fans.length > 0 ? fans.map((polygon) => fanPlace(values, polygon)) : none };
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
): Tunnel | undefined {
  for (const { corners, ring } of innerJoints(values)) {
    const between = tunnelLoops(above, joined, loops, corners);
    if (between) return { loops: between, ring };
  }
  return undefined;
}

function patchOf({ loops, patches }: Outline, tunnel: Tunnel | undefined): Patch {
  const key = tunnel ? `${tunnel.loops} ${tunnel.ring.corners}` : "";
  let patch = patches.get(key);
  if (!patch) {
    patch = tunnel ? patchWith(loops, tunnel) : disks(loops);
    patches.set(key, patch);
  }
  return patch;
}

/** No loop beside a tunnel needs an inner vertex. */
function patchWith(loops: Outline["loops"], { loops: [one, other], ring }: Tunnel): Patch {
  const rest = loops.filter((_, loop) => loop !== one && loop !== other);
  return {
    triangles: [...disks(rest).triangles, ...annulus(loops[one], loops[other], ring.corners)],
    fans: [],
  };
}

/** Around an inner vertex where the triangles would have an edge in a face of the cell otherwise. */
function disks(loops: Outline["loops"]): Patch {
  const triangles: number[] = [];
  const fans: (readonly number[])[] = [];
  for (const loop of loops) {
    const flat = triangulateLoop(loop);
    if (!hasFaceChord(flat, loop)) {
      triangles.push(...flat.flat());
      continue;
    }
    const inner = firstInner + fans.length;
    for (const [at, edge] of loop.entries()) triangles.push(edge, loop[(at + 1) % loop.length], inner);
    fans.push(loop);
  }
  return { triangles, fans };
}

function hasFaceChord(triangles: readonly (readonly number[])[], loop: readonly number[]): boolean {
  return triangles.some((triangle) =>
    triangle.some((edge, k) => {
      const next = triangle[(k + 1) % 3];
      const step = Math.abs(loop.indexOf(edge) - loop.indexOf(next));
      return step !== 1 && step !== loop.length - 1 && isFaceChord(edge, next);
    }),
  );
}
