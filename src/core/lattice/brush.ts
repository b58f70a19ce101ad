/** Brushes: kernel text that says which sites they reach, and its constants. */
import type { CrinkleError } from "../errors.ts";
import { stridesOf } from "../hypercube/shape.ts";
import { badArgument } from "../primitives/checks.ts";
import type { LatticeBrush, LatticePlan, Pass } from "./model.ts";
import type { Stroke } from "./simulation.ts";

/** Statements that declare the coordinates `x_0`, `x_1`, … of a site from its number, an expression. */
export const coordinatesText = (site: string, lengths: readonly number[], firstAxis = 0): string =>
  stridesOf(lengths)
    .map((stride, k) => `let x_${firstAxis + k} = (${site} / ${stride}u) % ${lengths[k]}u;`)
    .join("\n");

/** Whether the brush reaches the site at `x_0`, `x_1`, …: an expression. */
export const insideText = (lengths: readonly number[]): string => {
  const away = (axis: number) => `abs(f32(x_${axis}) - constants.center[${axis}])`;
  const squares = lengths.map((length, axis) => {
    const distance = `min(${away(axis)}, ${length}.0 - ${away(axis)})`;
    return `${distance} * ${distance}`;
  });
  return `${squares.join(" + ")} <= constants.radius_squared`;
};

export const noBrush = (): CrinkleError =>
  badArgument("This model cannot be drawn on.", "Draw on a lattice of another model.");

/** A pass that sets arrays of a number a site, in the lattice's own order, each to an expression. */
export const siteBrush = (
  name: string,
  lengths: readonly number[],
  values: Readonly<Record<string, string>>,
): Pass => ({
  name,
  reads: Object.fromEntries(Object.keys(values).map((array) => [array, "own"] as const)),
  writes: Object.keys(values),
  maps: {},
  text: `${coordinatesText("element", lengths)}
let is_inside = ${insideText(lengths)};
${Object.entries(values)
  .map(([array, value]) => `out.${array} = select(${array}(), ${value}, is_inside);`)
  .join("\n")}`,
});

/** Throws BadArgument. */
export function brushOf({ brush }: LatticePlan): LatticeBrush {
  if (brush) return brush;
  throw noBrush();
}

/** The constants of a brush's passes. Throws BadArgument. */
export function brushConstants(
  plan: LatticePlan,
  { position, radius, value }: Stroke,
): Readonly<Record<"center" | "radius_squared" | "value", readonly number[]>> {
  const { min, max, isWhole } = brushOf(plan);
  const { lengths } = plan;
  if (!(value >= min && value <= max) || (isWhole && !Number.isInteger(value))) {
    const what = isWhole ? "a whole number" : "a number";
    throw badArgument(`The value to draw is ${value}.`, `Give ${what} from ${min} to ${max}.`);
  }
  if (position.length !== lengths.length || !position.every(Number.isFinite)) {
    throw badArgument(
      `The position to draw at is ${position.join(", ")}.`,
      `Give ${lengths.length} coordinates, one for each axis.`,
    );
  }
  if (!(radius >= 0)) throw badArgument(`The radius of a brush is ${radius}.`, "Give 0 or more sites.");
  const isSite = radius < 0.5;
  const center = position.map((x, axis) => {
    const place = isSite ? Math.round(x) : x;
    return place - lengths[axis] * Math.floor(place / lengths[axis]);
  });
  return { center, radius_squared: [isSite ? 0.25 : radius * radius], value: [value] };
}
