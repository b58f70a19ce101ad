import type { Bounds } from "../../../core/grid.ts";
import type { Layer, LayerPaint, LayerShape } from "../../../core/layers.ts";
import type { Statistics } from "../../../core/statistics.ts";
import type { LayerKind } from "../../../engine/layers/titles.ts";
import { defaultIsovalue, finiteRange } from "../defaults.ts";
import { centerOf } from "./new-layer.ts";

type Range = Pick<Statistics, "min" | "max"> & Partial<Pick<Statistics, "mean">>;

/** What the initial settings of a layer depend on. */
export interface LayerDefaults {
  readonly bounds: Bounds;
  /** The scalar that it follows or is coloured by, and its range; undefined if there is no field. */
  readonly field:
    | { readonly expression: string; readonly range: Range; readonly definition?: string }
    | undefined;
  readonly paint: LayerPaint;
  /** Number of points of the data set, if it is a point set. */
  readonly points?: number;
}

/** A layer of a kind that shows something of any data. */
export function newLayer(kind: LayerKind, id: string, defaults: LayerDefaults): Layer {
  const { field, paint } = defaults;
  const shape = newShape(kind, defaults);
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

function newShape(kind: LayerKind, { bounds, field, points = 0 }: LayerDefaults): LayerShape {
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
      return { kind, size: pointSize(points) };
    case "image":
      return { kind };
  }
}

/**
 * Point size in CSS pixels. The more points there are, the smaller they are drawn, so that they do not hide each other
 * and draw fast.
 */
function pointSize(count: number): number {
  const size = 4 * Math.cbrt(2 ** 18 / Math.max(count, 1));
  return Math.round(10 * Math.min(Math.max(size, 1.5), 4)) / 10;
}

/** The smallest extent that is not flat. */
function smallestExtent([x0, x1, y0, y1, z0, z1]: Bounds): number {
  return Math.min(...[x1 - x0, y1 - y0, z1 - z0].filter((extent) => extent > 0), x1 - x0 || 1);
}
