import type { Implicit, Layer, LayerShape, Plane } from "../../core/layers.ts";
import type { LayerAdjustment } from "../api.ts";

export interface Adjusted {
  readonly layer: Layer;
  /** Whether the geometry changes, not only the colours. */
  readonly isReshaped: boolean;
}

/** A layer with those parts of an adjustment that fit its shape. */
export function adjust(layer: Layer, adjustment: LayerAdjustment): Adjusted {
  const { isVisible = layer.isVisible, paint = layer.paint, normals } = adjustment;
  const clip = adjustment.clip && !isPlane(adjustment.clip) ? undefined : adjustment.clip;
  const reshaped = reshape(layer.shape, adjustment);
  const shape = normals && reshaped.kind === "isosurface" ? { ...reshaped, normals } : reshaped;
  return {
    layer: { ...layer, shape, isVisible, paint, clip: clip === undefined ? layer.clip : (clip ?? undefined) },
    isReshaped: reshaped !== layer.shape,
  };
}

/** Returns the same object if nothing fits. */
function reshape(shape: LayerShape, adjustment: LayerAdjustment): LayerShape {
  const { isovalues, position, range, size } = adjustment;
  switch (shape.kind) {
    case "isosurface":
      return isovalues?.some(Number.isFinite) ? { ...shape, isovalues } : shape;
    case "cut": {
      const by = recut(shape.by, adjustment);
      return by === shape.by ? shape : { ...shape, by };
    }
    case "slice":
      return position !== undefined && Number.isFinite(position) ? { ...shape, position } : shape;
    case "threshold":
      return range && !range.some(Number.isNaN) ? { ...shape, range } : shape;
    case "points":
      return size !== undefined && size > 0 ? { ...shape, size } : shape;
    case "image":
      return shape;
  }
}

function recut(by: Implicit, { plane, center, radius, value }: LayerAdjustment): Implicit {
  switch (by.kind) {
    case "plane":
      return plane && isPlane(plane) ? { ...by, plane } : by;
    case "sphere": {
      const sphere = { ...by, center: center ?? by.center, radius: radius ?? by.radius };
      const isNew = sphere.center !== by.center || sphere.radius !== by.radius;
      return isNew && sphere.center.every(Number.isFinite) && sphere.radius > 0 ? sphere : by;
    }
    case "expression":
      return value !== undefined && Number.isFinite(value) ? { ...by, value } : by;
  }
}

const isPlane = ({ origin, normal }: Plane): boolean =>
  [...origin, ...normal].every(Number.isFinite) && normal.some((n) => n !== 0);
