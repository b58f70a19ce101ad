import type { Triple } from "../../core/grid.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Surface } from "./surface.ts";

/** A surface as a mesh on the host, its first field as scalars; `center` is what its positions are relative to. */
export async function readSurface(p: Primitives, surface: Surface, center: Triple): Promise<TriangleMesh> {
  const { positions, normals, fields, indices } = surface;
  const [scalars] = fields;
  return {
    positions: (await p.toHost(positions)).map((x, word) => x + center[word % 3]),
    normals: await p.toHost(normals),
    scalars: scalars && (await p.toHost(scalars)),
    indices: indices
      ? await p.toHost(indices)
      : Uint32Array.from({ length: positions.length }, (_, vertex) => vertex),
  };
}

/** A mesh in vectors, its scalars as the one field; positions are relative to the origin. */
export function surfaceOfMesh(
  p: Primitives,
  { positions, normals, scalars, indices }: TriangleMesh,
): Surface & { readonly indices: NonNullable<Surface["indices"]> } {
  const surface = {
    positions: p.fromHost("f32", positions, 3),
    normals: p.fromHost("f32", normals, 3),
    fields: scalars ? [p.fromHost("f32", scalars)] : [],
    ids: undefined,
    indices: p.fromHost("u32", indices),
    cells: undefined,
  };
  return {
    ...surface,
    release() {
      const { positions, normals, fields, indices } = surface;
      for (const vector of [positions, normals, ...fields, indices]) vector.release();
    },
  };
}
