import { CrinkleError } from "../../core/errors.ts";
import { formatCount } from "../../core/format.ts";
import { requireNodeComponent } from "../../core/marching-cubes/preconditions.ts";
import type { ScalarSource } from "../fields/compact-field.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import type { GridTables } from "../fields/grid-tables.ts";

/** What every surface is extracted from. The fields stay the caller's, and must live as long as they are in use here. */
export interface SurfaceBase {
  /** The node coordinates of the fields' grid. */
  readonly tables: GridTables;
  /** Node-centred, on the same grid. */
  readonly color?: GpuField;
  readonly colorComponent?: number;
}

/** What an isosurface or a threshold is extracted from: the field may lie on the GPU as it is stored. */
export interface ScalarSurfaceSource extends SurfaceBase {
  /** Node-centred. */
  readonly field: ScalarSource;
  readonly component?: number;
}

/** What is added to a surface's scalars to give the colour field's values. */
export function scalarOffset({ color, colorComponent = 0 }: SurfaceBase): number {
  return color ? color.offsets[colorComponent] : 0;
}

/** Throws BadArgument where the field is not node-centred, lies on another grid, or lacks the component. */
export function requireNodeField(
  tables: GridTables,
  field: ScalarSource,
  component: number,
  purpose: string,
): void {
  requireNodeComponent(field, component, purpose);
  if (field.dims.every((n, axis) => n === tables.dims[axis])) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `The field “${field.name}” has ${field.dims.join(" × ")} values where the grid has ${tables.dims.join(" × ")} points.`,
    remedy: "Choose a field of the same grid.",
  });
}

/** Throws BadArgument where the colour field does not fit the grid. */
export function checkColor({ tables, color, colorComponent = 0 }: SurfaceBase): void {
  if (color) requireNodeField(tables, color, colorComponent, "a surface's colour");
}

/** Throws TooLarge where 32 bits do not number so many places of a vertex at each of the grid's nodes. */
export function requireNumbers({ dims }: GridTables, perNode: number, what: string): void {
  const nodes = dims[0] * dims[1] * dims[2];
  const most = Math.floor(2 ** 32 / perNode);
  if (nodes <= most) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `${what} numbers the nodes of at most ${formatCount(most)}; the grid has ${formatCount(nodes)}.`,
    remedy: "Load a part of the data.",
  });
}
