import { contourLoops } from "../contour.ts";
import { isFaceChord, triangulateLoop } from "../triangulate.ts";
import { annulus } from "./annulus.ts";
import { connectionKinds } from "./inner-connection.ts";
import { firstInner, type Patch } from "./patch.ts";
import { type Tunnel, tunnelOf } from "./tunnel.ts";

/** The patches of one case and one decision about its faces. */
export interface Patches {
  /** Without a tunnel. */
  readonly plain: Patch;
  /** By inner connections' kinds, undefined where one makes no tunnel; empty where none does. */
  readonly tunnels: readonly (Patch | undefined)[];
}

const made = new Map<number, Patches>();

/** Made when they are first asked for. `joined` has a bit for each face that joins its corners above. */
export function patchesOf(above: number, joined: number): Patches {
  const key = above | (joined << 8);
  let patches = made.get(key);
  if (!patches) {
    patches = makePatches(above, joined);
    made.set(key, patches);
  }
  return patches;
}

function makePatches(above: number, joined: number): Patches {
  const loops = contourLoops(above, joined);
  const byTunnel = new Map<string, Patch>();
  const tunnels = Array.from({ length: connectionKinds }, (_, kind) => {
    const tunnel = tunnelOf(above, joined, loops, kind);
    if (!tunnel) return undefined;
    const key = `${tunnel.loops} ${tunnel.ringCorners}`;
    const patch = byTunnel.get(key) ?? patchWith(loops, tunnel);
    byTunnel.set(key, patch);
    return patch;
  });
  return { plain: disks(loops), tunnels: byTunnel.size > 0 ? tunnels : [] };
}

type Loops = readonly (readonly number[])[];

/** No loop beside a tunnel needs an inner vertex. */
function patchWith(loops: Loops, { loops: [one, other], ringCorners }: Tunnel): Patch {
  const rest = loops.filter((_, loop) => loop !== one && loop !== other);
  return {
    triangles: [...disks(rest).triangles, ...annulus(loops[one], loops[other], ringCorners)],
    fans: [],
  };
}

/** Around an inner vertex where the triangles would have an edge in a face of the cell otherwise. */
function disks(loops: Loops): Patch {
  const triangles: number[] = [];
  const fans: (readonly number[])[] = [];
  for (const loop of loops) {
    const flat = triangulateLoop(loop);
    if (!hasFaceChord(flat, loop)) {
      triangles.push(...flat.flat());
      continue;
    }
    const inner = firstInner + fans.length;
    for (const [at, edge] of loop.entries()) triangles.push(edge, inner, loop[(at + 1) % loop.length]);
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
