/**
 * Index maps: which element of a source each element of a result is. A map is a list of steps, simplified as it is made: digits
 * that are rearranged, then moves along axes, and so on where these do not commute.
 */
import { badArgument } from "../primitives/checks.ts";
import { toCoordinates, toIndex } from "./coordinates.ts";
import {
  axesOfDigits,
  type DigitStep,
  invertedStep,
  isIdentityStep,
  mergedSteps,
  radicesOfResult,
} from "./digits.ts";
import { axisOf, type Linear, quotientOf, remainderOf, rotationOf, scaled, sumOf, within } from "./linear.ts";
import { valueAt } from "./linear-values.ts";
import { invertedMoves, isStillStep, type MoveStep, mergedMoves, movesFirst, movesLast } from "./moves.ts";
import { countOf, printShape, stridesOf } from "./shape.ts";

export type Step = DigitStep | MoveStep;

/** Lengths go from the fastest axis to the slowest. */
export interface IndexMap {
  /** Lengths of the source. */
  readonly from: readonly number[];
  /** Lengths of the result. */
  readonly to: readonly number[];
  readonly steps: readonly Step[];
}

export const identityMap = (lengths: readonly number[]): IndexMap => ({
  from: lengths,
  to: lengths,
  steps: [],
});

/** The map that makes the steps one after the other. */
export function mapOfSteps(from: readonly number[], steps: readonly Step[]): IndexMap {
  const simple: Step[] = [];
  for (const step of steps) append(simple, step);
  return { from, to: steps.at(-1)?.to ?? from, steps: simple };
}

/** Adds a step to simplified ones: rearrangements of digits go first where they can, and meet their like. */
function append(steps: Step[], step: Step): void {
  const last = steps.at(-1);
  if (step.kind === "moves") {
    const merged = last?.kind === "moves" ? mergedMoves(last, step) : step;
    if (merged !== step) steps.pop();
    if (!isStillStep(merged)) steps.push(merged);
    return;
  }
  if (isIdentityStep(step)) return;
  if (last?.kind === "digits") {
    const merged = mergedSteps(last, step);
    if (!merged) {
      steps.push(step);
      return;
    }
    steps.pop();
    append(steps, merged);
    return;
  }
  const parted = last && movesLast(last, step);
  if (!parted) {
    const former = steps.at(-2);
    const turned = last && former?.kind === "digits" ? movesFirst(former, last) : undefined;
    const joined = turned && mergedSteps(turned.digits, step);
    if (!joined) {
      steps.push(step);
      return;
    }
    steps.splice(-2);
    append(steps, turned.moves);
    append(steps, joined);
    return;
  }
  steps.pop();
  append(steps, parted.before);
  append(steps, parted.digits);
  append(steps, parted.after);
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((length, axis) => length === b[axis]);

/** The map that makes one map after the other. Throws BadArgument where a result does not have the next one's shape. */
export function composeMaps(first: IndexMap, ...others: readonly IndexMap[]): IndexMap {
  let { to } = first;
  for (const { from, to: next } of others) {
    if (!isSame(to, from)) {
      throw badArgument(
        `A map of ${printShape({ lengths: from })} cannot follow one that makes ${printShape({ lengths: to })}.`,
        "Make it for the shape that the map before it makes.",
      );
    }
    to = next;
  }
  return mapOfSteps(
    first.from,
    [first, ...others].flatMap(({ steps }) => steps),
  );
}

/** The map back; undefined where the map is no bijection, since it fills with zeros or leaves elements out. */
export function invertedMap({ from, to, steps }: IndexMap): IndexMap | undefined {
  const back = [...steps]
    .reverse()
    .map((step) => (step.kind === "digits" ? invertedStep(step) : invertedMoves(step)));
  if (back.some((step) => step === undefined)) return undefined;
  return {
    ...mapOfSteps(
      to,
      back.filter((step) => step !== undefined),
    ),
    to: from,
  };
}

export const isIdentityMap = ({ steps }: IndexMap): boolean => steps.length === 0;

/** Whether the map is its own inverse, so that elements change places in pairs. */
export const isInvolution = (map: IndexMap): boolean =>
  isSame(map.from, map.to) && invertedMap(map) !== undefined && isIdentityMap(composeMaps(map, map));

/** An element is 0 where an expression is not in [first, end). */
export interface Condition {
  readonly of: Linear;
  readonly first: number;
  readonly end: number;
}

/** The source's coordinates of an element of the result, and where it is 0 instead. */
export interface SourceExpression {
  readonly coordinates: readonly Linear[];
  readonly conditions: readonly Condition[];
}

/** Expressions of the coordinates of the result, which are given as expressions of whatever they are known by. */
export function sourceExpression(
  { to, steps }: IndexMap,
  given: readonly Linear[] = to.map((length, axis) => axisOf(axis, length)),
): SourceExpression {
  let coordinates = given;
  const conditions: Condition[] = [];
  for (const step of [...steps].reverse()) {
    coordinates =
      step.kind === "digits" ? beforeDigits(step, coordinates) : beforeMoves(step, coordinates, conditions);
  }
  return { coordinates, conditions };
}

function beforeDigits(step: DigitStep, coordinates: readonly Linear[]): Linear[] {
  const { from, to, radices, places } = step;
  const resultAxes = axesOfDigits(to, radicesOfResult(step));
  const values: Linear[] = [];
  let weight = 1;
  for (const [place, { digit, isFlipped }] of places.entries()) {
    const axis = resultAxes[place];
    if (place > 0 && axis !== resultAxes[place - 1]) weight = 1;
    const value = remainderOf(quotientOf(coordinates[axis], weight), radices[digit]);
    values[digit] = isFlipped ? sumOf([scaled(value, -1)], radices[digit] - 1) : value;
    weight *= radices[digit];
  }
  const sourceAxes = axesOfDigits(from, radices);
  const parts: Linear[][] = from.map(() => []);
  const weights = from.map(() => 1);
  for (const [digit, radix] of radices.entries()) {
    const axis = sourceAxes[digit];
    parts[axis].push(scaled(values[digit], weights[axis]));
    weights[axis] *= radix;
  }
  return parts.map((terms) => sumOf(terms));
}

function beforeMoves({ moves }: MoveStep, coordinates: readonly Linear[], conditions: Condition[]): Linear[] {
  return coordinates.map((coordinate, axis) => {
    let at = coordinate;
    for (const move of [...moves[axis]].reverse()) {
      if (move.kind === "shift") {
        at = rotationOf(at, move.length - move.by, move.length);
        continue;
      }
      const { first, end, by } = move;
      if (at.min < first || at.max >= end) conditions.push({ of: at, first, end });
      at = sumOf([within(at, first, end - 1)], -by);
      at = within(at, first - by, end - 1 - by);
    }
    return at;
  });
}

/** The effective k-index: the source's index as one expression of the result's index, which is its axis 0. */
export function effectiveIndex(map: IndexMap): {
  readonly index: Linear;
  readonly conditions: readonly Condition[];
} {
  const given = coordinatesOf(map.to, axisOf(0, countOf(map.to)));
  const { coordinates, conditions } = sourceExpression(map, given);
  return { index: flatIndex(map.from, coordinates), conditions };
}

/** The coordinates of an index in an array of these lengths. */
export function coordinatesOf(lengths: readonly number[], index: Linear): Linear[] {
  const strides = stridesOf(lengths);
  return lengths.map((length, axis) => remainderOf(quotientOf(index, strides[axis]), length));
}

/** Coordinates as one index of an array of these lengths. */
export function flatIndex(lengths: readonly number[], coordinates: readonly Linear[]): Linear {
  const strides = stridesOf(lengths);
  return sumOf(coordinates.map((coordinate, axis) => scaled(coordinate, strides[axis])));
}

/** The source's index of an element of the result, by its index there; undefined where the result is 0. */
export function sourceIndex(map: IndexMap): (index: number) => number | undefined {
  const { coordinates, conditions } = sourceExpression(map);
  return (index) => {
    const at = toCoordinates(map.to, index);
    const isInside = conditions.every(({ of, first, end }) => {
      const value = valueAt(of, at);
      return value >= first && value < end;
    });
    if (!isInside) return undefined;
    return toIndex(
      map.from,
      coordinates.map((coordinate) => valueAt(coordinate, at)),
    );
  };
}
