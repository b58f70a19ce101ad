import type { SurfaceShape } from "../../core/layers.ts";
import { shapeField } from "../layers/shape-surface.ts";
import type { RankEngine } from "./rank-engine.ts";
import { type SurfaceJobRequest, surfaceRequest } from "./surface-job.ts";

/** What the ranks are asked for a layer over what is open in the page; its clip is the page's affair. */
export function layerRequest(
  engine: RankEngine,
  shape: SurfaceShape,
  colorBy: string | undefined,
): SurfaceJobRequest {
  const { source } = engine.described("");
  const field = shapeField(shape);
  return surfaceRequest(source, shape, {
    text: field === undefined ? undefined : engine.described(field).text,
    colorBy: colorBy === undefined ? undefined : engine.described(colorBy).text,
  });
}
