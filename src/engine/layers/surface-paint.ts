import type { Triple } from "../../core/grid.ts";
import type { Layer } from "../../core/layers.ts";
import type { Surface } from "../../viewer/viewer.ts";
import { sampleColorMap } from "../colormaps.ts";
import { clipPlane } from "./paint.ts";
import { shadingOf } from "./shape-surface.ts";

/**
 * How the viewer paints a layer's surface. `range`: that of the colours, undefined where there is one colour. Vertices have
 * the colour field's value less `scalarOffset`, and are relative to `center`.
 */
export function surfacePaint(
  { paint, clip, shape }: Pick<Layer, "paint" | "clip" | "shape">,
  range: readonly [number, number] | undefined,
  scalarOffset: number,
  center: Triple,
): Parameters<Surface["setPaint"]>[0] {
  const { map, reversed, scale, nanColor, solid, opacity } = paint;
  const [low, high] = range ?? [0, 1];
  return {
    table: range ? sampleColorMap(map, 256, reversed) : undefined,
    range: [low - scalarOffset, high - scalarOffset],
    scale,
    zero: -scalarOffset,
    nanColor,
    solid,
    opacity,
    shading: shadingOf(shape),
    clip: clip && clipPlane(clip, center),
  };
}
