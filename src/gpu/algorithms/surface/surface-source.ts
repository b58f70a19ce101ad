import type { GpuField } from "../../fields/gpu-field.ts";
import type { GridTables } from "../../fields/grid-tables.ts";

/** What every surface is extracted from. The fields stay the caller's, and must live as long as they are in use here. */
export interface SurfaceBase {
  /** The node coordinates of the fields' grid. */
  readonly tables: GridTables;
  /** Node-centred, on the same grid. */
  readonly color?: GpuField;
  readonly colorComponent?: number;
}

/** What is added to a surface's scalars to give the colour field's values. */
export function scalarOffset({ color, colorComponent = 0 }: SurfaceBase): number {
  return color ? color.offsets[colorComponent] : 0;
}
