import type { SurfaceShape } from "../core/layers.ts";
import type { RankedShape, SurfaceOptions } from "../embed/ranks.ts";
import type { DataSource } from "../engine/ranks/data-source.ts";
import { type SurfaceJobRequest, surfaceRequest } from "../engine/ranks/surface-job.ts";

/** What ranks are asked for a surface of a text's statements. Throws BadArgument where its shape has no such form. */
export function rankedSurfaceRequest(
  source: DataSource,
  text: string,
  shape: RankedShape,
  { statement, colorBy, clip, form, blocks }: SurfaceOptions,
): SurfaceJobRequest {
  const hasField = shape.kind === "isosurface" || shape.kind === "threshold";
  return surfaceRequest(source, surfaceShape(shape, text), {
    ...(hasField ? { text, wanted: statement } : {}),
    colorBy: colorBy === undefined ? undefined : `${text}\n${colorBy}`,
    clip,
    form,
    blocks,
  });
}

function surfaceShape(shape: RankedShape, field: string): SurfaceShape {
  if (shape.kind === "threshold") return { ...shape, field };
  if (shape.kind !== "isosurface") return shape;
  const { isovalues, topology = "table" } = shape;
  return { kind: "isosurface", field, isovalues, normals: "smooth", topology };
}
