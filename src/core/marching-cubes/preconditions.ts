import { CrinkleError } from "../errors.ts";
import { formatNumber } from "../format.ts";
import type { Centering, Triple } from "../grid.ts";

/** Why a grid of these extents can have no isosurface; undefined where it can. */
export function whyNoSurface(dims: Triple): string | undefined {
  const flat = dims.flatMap((n, axis) => (n < 2 ? [`${"xyz"[axis]}`] : []));
  if (flat.length === 0) return undefined;
  return `The grid has ${dims.join(" × ")} points: it is flat along ${flat.join(" and ")}, and an isosurface needs cells in three directions.`;
}

/** Why the surface of an isovalue is empty, given the field's range; undefined where it need not be. */
export function whyEmpty(isovalue: number, min: number, max: number): string | undefined {
  if (Number.isNaN(min) || Number.isNaN(max))
    return "The field has no finite value, so its isosurface is empty.";
  if (isovalue >= min && isovalue < max) return undefined;
  if (min === max) {
    return `The field is ${formatNumber(min)} everywhere, so its isosurface is empty.`;
  }
  return `The isovalue ${formatNumber(isovalue)} lies outside the field's range ${formatNumber(min)} … ${formatNumber(max)}: the surface is empty.`;
}

/** Throws BadArgument unless the isovalue is finite. */
export function requireIsovalue(isovalue: number): void {
  if (Number.isFinite(isovalue)) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `The isovalue ${isovalue} is not a finite number.`,
    remedy: "Choose a value inside the field's range.",
  });
}

interface ContourField {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
}

/** Throws BadArgument unless the field is node-centred and has this component. */
export function requireNodeComponent(field: ContourField, component: number, purpose: string): void {
  if (field.centering !== "node") {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The field “${field.name}” has its values in the cells, but ${purpose} needs them on the nodes.`,
      remedy: `Use recenter(${field.name}).`,
    });
  }
  if (!Number.isInteger(component) || component < 0 || component >= field.components) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The field “${field.name}” has no component ${component}: it has ${field.components}.`,
      remedy: `Choose 0 … ${field.components - 1}, or take its magnitude.`,
    });
  }
}
