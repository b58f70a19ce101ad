import { type Bounds, gridBounds } from "../core/grid.ts";
import { type JobContext, noJob } from "../core/job.ts";
import { joinMeshes } from "../core/join-meshes.ts";
import type { Plane } from "../core/layers.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { enclosedVolume, meshBounds } from "../core/mesh-measures.ts";
import type { Session } from "./session.ts";
import { surfaceMesh } from "./surface-mesh.ts";

export interface ClippedSolid {
  /** Closed: the grid's outer faces on the plane's positive side, and the cut that bounds them, both seen from outside. */
  readonly mesh: TriangleMesh;
  /** In squared and in cubed length units of the grid. */
  readonly area: number;
  readonly volume: number;
  /** Undefined if nothing of the grid is on that side. */
  readonly bounds: Bounds | undefined;
  readonly notes: readonly string[];
}

/** The part of the grid on a plane's positive side, as its outer surface. Throws what `surfaceMesh` throws. */
export async function clippedSolid(
  session: Session,
  plane: Plane,
  colorBy: string | undefined,
  job: JobContext = noJob,
): Promise<ClippedSolid> {
  const { text, range } = everywhere(session);
  const outside = { kind: "threshold", field: text, range } as const;
  const outer = await surfaceMesh(session, { shape: outside, colorBy, clip: plane }, job);
  const cut = { kind: "cut", by: { kind: "plane", plane } } as const;
  const cap = await surfaceMesh(session, { shape: cut, colorBy }, job);
  const mesh = joinMeshes([outer.mesh, cap.mesh]);
  return {
    mesh,
    area: outer.area + cap.area,
    volume: enclosedVolume(mesh),
    bounds: meshBounds(mesh),
    notes: [...new Set([...outer.notes, ...cap.notes])],
  };
}

/** A coordinate, which is finite in all cells, and a range that holds it: one that no field of the data hides. */
function everywhere(session: Session): { readonly text: string; readonly range: readonly [number, number] } {
  const names = session.signatures().map(({ name }) => name);
  const bounds = gridBounds(session.data.dataSet.grid);
  const axis = Math.max(
    0,
    ["x", "y", "z"].findIndex((name) => !names.includes(name)),
  );
  const [low, high] = [bounds[2 * axis], bounds[2 * axis + 1]];
  return { text: "xyz"[axis], range: [low - (high - low), high + (high - low)] };
}
