import type { SoupNormals } from "../../core/marching-cubes/soup.ts";
import type { Session } from "../session.ts";
import { type SurfaceResult, surfaceMesh } from "../surface-mesh.ts";

export interface ContourRequest {
  readonly field: string;
  readonly isovalue: number;
  readonly colorBy?: string;
  readonly soup?: SoupNormals;
}

/** The isosurface of one value. */
export function contour(
  session: Session,
  { field, isovalue, colorBy, soup }: ContourRequest,
): Promise<SurfaceResult> {
  const shape = {
    kind: "isosurface",
    field,
    isovalues: [isovalue],
    normals: "smooth",
    topology: "table",
  } as const;
  return surfaceMesh(session, { shape, colorBy, soup });
}
