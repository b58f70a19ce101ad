import { CrinkleError } from "../../../core/errors.ts";
import { requireNodeComponent } from "../../../core/marching-cubes/preconditions.ts";
import type { GpuField } from "../../fields/gpu-field.ts";
import type { GridTables } from "../../fields/grid-tables.ts";

/** What a surface is extracted from. The fields stay the caller's, and must live as long as they are in use here. */
export interface SurfaceSource {
  /** The node coordinates of the fields' grid. */
  readonly tables: GridTables;
  /** Node-centred. */
  readonly field: GpuField;
  readonly component?: number;
  /** Node-centred, on the same grid. */
  readonly color?: GpuField;
  readonly colorComponent?: number;
}

/** Throws BadArgument where a field is not node-centred, lies on another grid, or lacks the component. */
export function checkSource({ tables, field, component, color, colorComponent }: SurfaceSource): void {
  requireNodeComponent(field, component ?? 0, "an isosurface");
  if (color) requireNodeComponent(color, colorComponent ?? 0, "a surface's colour");
  for (const { name, dims } of color ? [field, color] : [field]) {
    if (dims.every((n, axis) => n === tables.dims[axis])) continue;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The field “${name}” has ${dims.join(" × ")} values where the grid has ${tables.dims.join(" × ")} points.`,
      remedy: "Choose a field of the same grid.",
    });
  }
}
