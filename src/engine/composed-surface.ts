import { composedCut } from "../algorithms/surfaces/cut.ts";
import { composedIsosurface } from "../algorithms/surfaces/isosurface.ts";
import { composedSlice } from "../algorithms/surfaces/slice.ts";
import type { Surface } from "../algorithms/surfaces/surface.ts";
import type { SurfaceGrid } from "../algorithms/surfaces/surface-grid.ts";
import { composedThreshold } from "../algorithms/surfaces/threshold.ts";
import type { Box } from "../core/box.ts";
import type { Field } from "../core/field.ts";
import type { SurfaceShape } from "../core/layers.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { Vector } from "../core/primitives/vector.ts";
import { isovaluesOf } from "./layers/shape-surface.ts";

/** A scalar's values on the nodes as f32, less a level whose digits would exceed f32. */
export interface LeveledValues {
  readonly values: Vector<"f32">;
  readonly level: number;
}

/**
 * A shape's surface of the table's topology, composed of primitives, whatever they compute on: its vertices shared, with the
 * fields on them. `field` is the shape's, where it has one. `cells`: a slice is made of this box of the grid's cells alone, of
 * other surfaces the triangles' cells are said. Throws BadArgument, TooLarge.
 */
export function composedSurface(
  p: Primitives,
  on: SurfaceGrid,
  shape: SurfaceShape,
  field: LeveledValues | undefined,
  fields: readonly Vector<"f32">[],
  cells?: Box,
): Promise<Surface> {
  const request = { fields, isWelded: true, hasCells: cells !== undefined };
  if (shape.kind === "slice") return composedSlice(p, on, shape, { ...request, cells });
  if (shape.kind === "cut" && shape.by.kind !== "expression") return composedCut(p, on, shape.by, request);
  if (!field) throw new TypeError(`A surface of the kind ${shape.kind} needs a field.`);
  const { values, level } = field;
  if (shape.kind === "threshold") {
    const [low, high] = shape.range;
    return composedThreshold(p, on, values, [low - level, high - level], request);
  }
  const isovalues = isovaluesOf(shape).map((isovalue) => isovalue - level);
  return composedIsosurface(p, on, values, { ...request, isovalues });
}

/** A scalar's values as f32, less a level. */
export function relativeTo({ data }: Pick<Field, "data">, level: number): Float32Array {
  if (data instanceof Float32Array) return data;
  return Float32Array.from(data as ArrayLike<number | bigint>, (value) => Number(value) - level);
}
