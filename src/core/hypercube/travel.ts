/** Which elements of a part of a source go to a part of a map's result: what ranks that have parts of both send each other. */
import { type Condition, type IndexMap, sourceExpression } from "./index-map.ts";
import type { Linear } from "./linear.ts";
import { axesIn, rangeOver, valueAt } from "./linear-values.ts";
import { countOf, stridesOf } from "./shape.ts";

/** Elements [first, end) along each axis, the fastest first; an array of them has the fastest axis first. */
export interface Part {
  readonly first: readonly number[];
  readonly end: readonly number[];
}

export const lengthsOf = ({ first, end }: Part): number[] =>
  first.map((from, axis) => Math.max(0, end[axis] - from));

export const countOfPart = (part: Part): number => countOf(lengthsOf(part));

/**
 * Axes of the result and of the source that depend on each other, and on no others: all of a Morton order, one of each of a shift.
 * What travels is a product over the groups, so that it takes no list of all elements.
 */
interface Group {
  readonly resultAxes: readonly number[];
  readonly sources: readonly { readonly axis: number; readonly coordinate: Linear }[];
  readonly conditions: readonly Condition[];
}

/** A map by its groups, those of fast axes first. */
export interface TravelMap {
  readonly to: readonly number[];
  readonly groups: readonly Group[];
}

export function travelMap(map: IndexMap): TravelMap {
  const { coordinates, conditions } = sourceExpression(map);
  const groupOf = map.to.map((_, axis) => axis);
  const join = (axes: ReadonlySet<number>) => {
    const joined = [...axes].map((axis) => groupOf[axis]);
    for (const [axis, group] of groupOf.entries()) if (joined.includes(group)) groupOf[axis] = joined[0];
  };
  const expressions = [...coordinates, ...conditions.map(({ of }) => of)];
  for (const each of expressions) join(axesIn(each));
  const isOf = (group: number, expression: Linear) => {
    const [axis] = axesIn(expression);
    return (axis === undefined ? -1 : groupOf[axis]) === group;
  };
  const groups = [...new Set([-1, ...groupOf])].map(
    (group): Group => ({
      resultAxes: map.to.flatMap((_, axis) => (groupOf[axis] === group ? [axis] : [])),
      sources: coordinates.flatMap((coordinate, axis) =>
        isOf(group, coordinate) ? [{ axis, coordinate }] : [],
      ),
      conditions: conditions.filter(({ of }) => isOf(group, of)),
    }),
  );
  return { to: map.to, groups };
}

/** Where elements are in arrays of the two parts: of each list one place, and the sums of these. */
export interface Travel {
  readonly lists: readonly Places[];
  /** Elements that travel. */
  readonly count: number;
}

export interface Places {
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  /** Numbers of places with which a run begins, of which each is one further in both arrays than the one before; then their count. */
  readonly runs: readonly number[];
}

/**
 * What goes from a part of the source to a part of the result. Elements are looked for in halves of the result's part again and again,
 * without those that nothing can reach from there: a rank visits about as many as it exchanges, and not all of the others' parts.
 */
export function travelBetween({ to, groups }: TravelMap, source: Part, target: Part): Travel {
  if (countOfPart(source) === 0 || countOfPart(target) === 0) return { lists: [], count: 0 };
  const strides = [stridesOf(lengthsOf(source)), stridesOf(lengthsOf(target))];
  const lists = groups.map((group) => placesOf(group, to.length, source, target, strides));
  return { lists, count: lists.reduce((count, { targets }) => count * targets.length, 1) };
}

function placesOf(
  { resultAxes, sources, conditions }: Group,
  axes: number,
  source: Part,
  target: Part,
  [sourceStrides, targetStrides]: readonly (readonly number[])[],
): Places {
  const found = { sources: [] as number[], targets: [] as number[] };
  // The coordinates of the elements that are looked at, from the first to the last along each axis.
  const first: number[] = new Array(axes).fill(0);
  const last: number[] = new Array(axes).fill(0);
  for (const axis of resultAxes) [first[axis], last[axis]] = [target.first[axis], target.end[axis] - 1];
  const wanted = [
    ...conditions,
    ...sources.map(({ axis, coordinate: of }) => ({ of, first: source.first[axis], end: source.end[axis] })),
  ];
  /** How many of these elements come from the source's part, as far as can be told. */
  const reached = (): "none" | "some" | "all" => {
    let isWhole = true;
    for (const { of, first: low, end } of wanted) {
      const [min, max] = rangeOver(of, first, last);
      if (max < low || min >= end) return "none";
      isWhole &&= min >= low && max < end;
    }
    return isWhole ? "all" : "some";
  };
  const add = (targetPlace: number): void => {
    let place = 0;
    for (const { axis, coordinate } of sources)
      place += (valueAt(coordinate, first) - source.first[axis]) * sourceStrides[axis];
    found.sources.push(place);
    found.targets.push(targetPlace);
  };
  const placeAlong = (axis: number): number => (first[axis] - target.first[axis]) * targetStrides[axis];
  /** Adds all of the elements that are looked at. */
  const addAll = (depth: number, targetPlace: number): void => {
    if (depth < 0) {
      add(targetPlace);
      return;
    }
    const axis = resultAxes[depth];
    const low = first[axis];
    for (; first[axis] <= last[axis]; first[axis]++) addAll(depth - 1, targetPlace + placeAlong(axis));
    first[axis] = low;
  };
  const visit = (depth: number, targetPlace: number): void => {
    const share = reached();
    if (share === "all") addAll(depth, targetPlace);
    if (share !== "some" || depth < 0) return;
    const axis = resultAxes[depth];
    const [low, high] = [first[axis], last[axis]];
    if (low === high) {
      visit(depth - 1, targetPlace + placeAlong(axis));
      return;
    }
    // Cut at a multiple of a power of two, where digits of such radices begin anew.
    const bit = 31 - Math.clz32(low ^ high);
    const cut = ((high >>> bit) << bit) >>> 0;
    last[axis] = cut - 1;
    visit(depth, targetPlace);
    first[axis] = cut;
    last[axis] = high;
    visit(depth, targetPlace);
    first[axis] = low;
  };
  visit(resultAxes.length - 1, 0);
  return { ...found, runs: runsOf(found.sources, found.targets) };
}

function runsOf(sources: readonly number[], targets: readonly number[]): number[] {
  const runs: number[] = [];
  for (let k = 0; k < sources.length; k++) {
    const goesOn = k > 0 && sources[k] === sources[k - 1] + 1 && targets[k] === targets[k - 1] + 1;
    if (!goesOn) runs.push(k);
  }
  return [...runs, sources.length];
}
