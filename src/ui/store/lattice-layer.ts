import type { Layer, LayerPaint } from "../../core/layers.ts";
import type { LatticeSummary } from "../../engine/api.ts";
import { isosurface } from "./layers/new-layer.ts";

/** The surfaces between the domains of a lattice. */
export function domainWalls(
  { expression, walls }: NonNullable<LatticeSummary["domains"]>,
  id: string,
  paint: LayerPaint,
): Layer {
  const layer = isosurface(id, { field: expression, isovalue: walls[0], colorBy: undefined }, paint);
  const shape = {
    kind: "isosurface",
    field: expression,
    isovalues: walls,
    normals: "smooth",
    topology: "table",
  } as const;
  return { ...layer, title: "Domain walls", shape };
}
