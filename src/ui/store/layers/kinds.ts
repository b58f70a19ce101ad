import type { Bounds } from "../../../core/grid.ts";
import type { Layer, LayerPaint, LayerShape } from "../../../core/layers.ts";
import type { Statistics } from "../../../core/statistics.ts";
import { defaultIsovalue, finiteRange } from "../defaults.ts";
import { centerOf } from "./new-layer.ts";
import type { LayerKind } from "./titles.ts";

type Range = Pick<Statistics, "min" | "max"> & Partial<Pick<Statistics, "mean">>;

/** What a layer begins with. */
export interface Beginning {
  readonly bounds: Bounds;
  /** The scalar that it follows or is coloured by, and its range; undefined where there is no field. */
  readonly field:
    | { readonly expression: string; readonly range: Range; readonly definition?: string }
    | undefined;
  readonly paint: LayerPaint;
}

/** A layer that shows something, whatever the data. */
export function newLayer(kind: LayerKind, id: string, { bounds, field, paint }: Beginning): Layer {
  const shape = newShape(kind, bounds, field);
  const isOwn = shape.kind === "isosurface";
  return {
    id,
    title: undefined,
    isVisible: true,
    shape,
    colorBy: shape.kind === "points" ? "density" : isOwn ? undefined : field?.expression,
    paint,
    clip: undefined,
  };
}

function newShape(kind: LayerKind, bounds: Bounds, field: Beginning["field"]): LayerShape {
  const center = centerOf(bounds);
  const expression = field?.expression ?? "coords[0]";
  const range = field?.range ?? { min: bounds[0], max: bounds[1] };
  const isovalue = defaultIsovalue(range, field?.definition);
  switch (kind) {
    case "isosurface":
      return {
        kind,
        field: expression,
        isovalues: [Number.isFinite(isovalue) ? isovalue : 0],
        normals: "smooth",
        topology: "table",
      };
    case "plane":
      return { kind: "cut", by: { kind, plane: { origin: center, normal: [1, 0, 0] } } };
    case "sphere":
      return {
        kind: "cut",
        by: { kind, center, radius: Number((0.35 * smallestExtent(bounds)).toPrecision(3)) },
      };
    case "expression": {
      const value = Number((center[0] + center[1] + center[2]).toPrecision(6));
      return { kind: "cut", by: { kind, text: "coords[0] + coords[1] + coords[2]", value } };
    }
    case "slice":
      return { kind, axis: 2, position: center[2] };
    case "threshold":
      return { kind, field: expression, range: finiteRange(isovalue, range.max) };
    case "points":
      return { kind, size: 4 };
  }
}

/** The least extent of those that are not flat. */
function smallestExtent([x0, x1, y0, y1, z0, z1]: Bounds): number {
  return Math.min(...[x1 - x0, y1 - y0, z1 - z0].filter((extent) => extent > 0), x1 - x0 || 1);
}
