/** What VTK's files and their indices say of grids. */
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, gridPart } from "../../core/grid.ts";
import { escapeXml } from "./vtk-appended.ts";

/** First and last node along each axis, in the whole that the grid may be a part of. */
export function extentOf(grid: Grid): string {
  const { first } = gridPart(grid);
  return extentBetween(
    first,
    first.map((at, axis) => at + grid.dims[axis] - 1),
  );
}

export const extentBetween = (first: readonly number[], last: readonly number[]): string =>
  first.map((at, axis) => `${at} ${last[axis]}`).join(" ");

/**
 * The attributes of a uniform grid: its spacing, and where node (0, 0, 0) of the whole lies. Throws BadArgument for a
 * rectilinear one.
 */
export function imageGeometry(
  { name, grid }: { readonly name: string; readonly grid: Grid },
  format: "vti" | "pvti",
): string {
  if (grid.kind !== "uniform") {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `“${name}” has a rectilinear grid, which .${format} files cannot hold.`,
      remedy: `Write a .${format.replace("vti", "vtr")} file.`,
    });
  }
  const { origin, spacing, part } = grid;
  const start = part ? [part.bounds[0], part.bounds[2], part.bounds[4]] : origin;
  return `Origin="${start.join(" ")}" Spacing="${spacing.join(" ")}"`;
}

/** The attributes that name the first scalar and the first vector among arrays. */
export function activeArrays(fields: readonly Pick<Field, "name" | "components">[]): string {
  const attribute = (kind: string, components: number) => {
    const field = fields.find((each) => each.components === components);
    return field ? ` ${kind}="${escapeXml(field.name)}"` : "";
  };
  return attribute("Scalars", 1) + attribute("Vectors", 3);
}
