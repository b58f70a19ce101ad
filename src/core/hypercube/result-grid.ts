import type { Centering, Grid, Triple } from "../grid.ts";
import { nodeCoordinates } from "../grid.ts";
import { badArgument } from "../primitives/checks.ts";
import { axesOfDigits, type DigitStep, radicesOfResult } from "./digits.ts";
import type { IndexMap } from "./index-map.ts";
import { printShape } from "./shape.ts";

/** Where the nodes along an axis are: also beyond its ends, in steps of its first and its last interval. */
interface AxisPlaces {
  readonly at: (node: number) => number;
  /** The distance of all neighbours; undefined where distances differ. */
  readonly spacing: number | undefined;
  /** Of one node alone, between which there are no cells. */
  readonly isFlat: boolean;
}

const unitPlaces: AxisPlaces = { at: (node) => node, spacing: 1, isFlat: false };

/**
 * The grid of what a map makes of a field's values. Transposed axes take their coordinates along, pads and crops begin elsewhere,
 * shifts, flips and crinkles leave coordinates where they are; an axis into which several have gone counts from 0. Throws
 * BadArgument for results of more than three axes.
 */
export function gridOfResult(grid: Grid, centering: Centering, map: IndexMap): Grid {
  if (map.to.length > 3) {
    throw badArgument(
      `The result ${printShape({ lengths: map.to })} has ${map.to.length} axes, and grids have three.`,
      "Write it as .npy.",
    );
  }
  let places = map.from.map((_, axis) => placesOf(grid, axis));
  for (const step of map.steps) {
    if (step.kind === "digits") {
      places = placesAfter(step, places);
      continue;
    }
    places = places.map((along, axis) => {
      const by = step.moves[axis].reduce((sum, move) => (move.kind === "window" ? sum + move.by : sum), 0);
      const isFlat = along.isFlat && step.from[axis] === step.to[axis];
      return { ...along, at: (node) => along.at(node - by), isFlat };
    });
  }
  const lengths = [...map.to, 1, 1, 1].slice(0, 3);
  const nodes = lengths.map((length, axis) => {
    const isFlat = length === 1 && (places[axis]?.isFlat ?? true);
    return centering === "node" || isFlat ? length : length + 1;
  });
  const along = (axis: number): AxisPlaces => places[axis] ?? unitPlaces;
  const triple = <T>(make: (axis: number) => T): [T, T, T] => [make(0), make(1), make(2)];
  const dims: Triple = triple((axis) => nodes[axis]);
  const [dx, dy, dz] = triple((axis) => along(axis).spacing);
  if (dx !== undefined && dy !== undefined && dz !== undefined) {
    return { kind: "uniform", dims, origin: triple((axis) => along(axis).at(0)), spacing: [dx, dy, dz] };
  }
  const axes = triple((axis) =>
    Float64Array.from({ length: nodes[axis] }, (_, node) => along(axis).at(node)),
  );
  return { kind: "rectilinear", dims, axes };
}

function placesOf(grid: Grid, axis: number): AxisPlaces {
  const isFlat = grid.dims[axis] === 1;
  if (grid.kind === "uniform") {
    const [origin, spacing] = [grid.origin[axis], grid.spacing[axis] || 1];
    return { at: (node) => origin + node * spacing, spacing, isFlat };
  }
  const nodes = nodeCoordinates(grid, axis);
  const last = nodes.length - 1;
  const [before, after] = isFlat ? [1, 1] : [nodes[1] - nodes[0], nodes[last] - nodes[last - 1]];
  const at = (node: number) => {
    if (node < 0) return nodes[0] + node * before;
    return node > last ? nodes[last] + (node - last) * after : nodes[node];
  };
  return { at, spacing: undefined, isFlat };
}

function placesAfter(step: DigitStep, places: readonly AxisPlaces[]): AxisPlaces[] {
  const sourceAxes = axesOfDigits(step.from, step.radices);
  const resultAxes = axesOfDigits(step.to, radicesOfResult(step));
  return step.to.map((length, axis) => {
    const from = new Set(
      step.places.filter((_, place) => resultAxes[place] === axis).map(({ digit }) => sourceAxes[digit]),
    );
    const [only] = from;
    if (from.size === 1 && step.from[only] === length) return places[only];
    return length === 1 && step.from[axis] === 1 ? places[axis] : unitPlaces;
  });
}
