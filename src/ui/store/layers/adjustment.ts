import type { Implicit, Layer, LayerShape } from "../../../core/layers.ts";
import type { LayerAdjustment } from "../../../engine/api.ts";

/** The adjustment that turns one layer into another without remaking it; undefined if it must be remade. */
export function adjustmentBetween(former: Layer, latest: Layer): LayerAdjustment | undefined {
  const shape = shapeAdjustment(former.shape, latest.shape);
  if (!shape || former.colorBy !== latest.colorBy) return undefined;
  const { isVisible, paint, clip } = latest;
  return {
    ...shape,
    ...(isVisible !== former.isVisible ? { isVisible } : {}),
    ...(isSame(paint, former.paint) ? {} : { paint }),
    ...(isSame(clip, former.clip) ? {} : { clip: clip ?? null }),
  };
}

function shapeAdjustment(former: LayerShape, latest: LayerShape): LayerAdjustment | undefined {
  if (former === latest) return {};
  if (former.kind === "isosurface" && latest.kind === "isosurface") {
    if (former.field !== latest.field || former.topology !== latest.topology) return undefined;
    const { isovalues, normals } = latest;
    return {
      ...(isSame(isovalues, former.isovalues) ? {} : { isovalues }),
      ...(normals === former.normals ? {} : { normals }),
    };
  }
  if (former.kind === "cut" && latest.kind === "cut") return cutAdjustment(former.by, latest.by);
  if (former.kind === "slice" && latest.kind === "slice") {
    const { position } = latest;
    return former.axis === latest.axis ? { position } : undefined;
  }
  if (former.kind === "threshold" && latest.kind === "threshold") {
    const { range } = latest;
    return former.field === latest.field ? { range } : undefined;
  }
  return former.kind === "points" && latest.kind === "points" ? { size: latest.size } : undefined;
}

function cutAdjustment(former: Implicit, latest: Implicit): LayerAdjustment | undefined {
  if (former.kind === "plane" && latest.kind === "plane") return { plane: latest.plane };
  if (former.kind === "sphere" && latest.kind === "sphere") {
    const { center, radius } = latest;
    return { center, radius };
  }
  if (former.kind !== "expression" || latest.kind !== "expression") return undefined;
  const isAlike = former.text === latest.text && former.topology === latest.topology;
  return isAlike ? { value: latest.value } : undefined;
}

/** Compares plain data by value. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
