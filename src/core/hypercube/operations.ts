/** Transforms as values: what they do to an array of any shape, and the index maps that they are of arrays of one shape. */
import { CrinkleError, type Span } from "../errors.ts";
import { badArgument } from "../primitives/checks.ts";
import { isPowerOfTwo } from "./bits.ts";
import { axisStep, digitStep, invertedStep } from "./digits.ts";
import { type IndexMap, mapOfSteps, type Step } from "./index-map.ts";
import { moveStep, shiftMove, windowMove } from "./moves.ts";
import { placedError } from "./placed.ts";
import { checkLengths, countOf, printShape } from "./shape.ts";

/** One transform. Axis 0 is the fastest; L is an axis's length. */
export type Operation = { readonly span?: Span } & (
  | { readonly kind: "flip"; readonly axes: readonly number[] }
  /** out[(i + by) mod L] = in[i]; of a planar shift zeros come in: out[i + by] = in[i] */
  | { readonly kind: "shift" | "pshift"; readonly axis: number; readonly by: number }
  /** out[(i mod step)·L/step + ⌊i / step⌋] = in[i]; `pads` rounds L up to a multiple of step with zeros first */
  | { readonly kind: "crinkle"; readonly axis: number; readonly step: number; readonly pads?: boolean }
  | { readonly kind: "uncrinkle"; readonly axis: number; readonly step: number }
  /** Both axes change places. */
  | { readonly kind: "transpose"; readonly axes: readonly [number, number] }
  /** Axis i of the result is axis axes[i] of the source. */
  | { readonly kind: "permute"; readonly axes: readonly number[] }
  /** Tiles of these lengths one after the other: of [L_1,L_0] the result is [L_1/T_1,L_0/T_0,T_1,T_0]. */
  | { readonly kind: "tile"; readonly lengths: readonly number[] }
  | { readonly kind: "untile" }
  /** One axis in Morton order, bits interleaved from the fastest axis on: of lengths that are powers of two. */
  | { readonly kind: "morton" }
  /** Morton order back to these lengths. */
  | { readonly kind: "unmorton"; readonly lengths: readonly number[] }
  /** Zeros before the first and after the last element of an axis; or so many elements less. */
  | { readonly kind: "pad" | "crop"; readonly axis: number; readonly before: number; readonly after: number }
);

/**
 * The map of the operations, made from left to right, on an array of these lengths, the fastest axis first. Throws BadArgument, with
 * the operation's place in its text if it came from one.
 */
export function mapOf(lengths: readonly number[], operations: readonly Operation[]): IndexMap {
  checkLengths(lengths);
  const steps: Step[] = [];
  let now = lengths;
  for (const operation of operations) {
    try {
      for (const step of stepsOf(now, operation)) {
        checkLengths(step.to);
        steps.push(step);
        now = step.to;
      }
    } catch (error) {
      throw placed(error, operation.span);
    }
  }
  return { ...mapOfSteps(lengths, steps), to: now };
}

function placed(error: unknown, span: Span | undefined): unknown {
  if (!(error instanceof CrinkleError) || !span) return error;
  return placedError(error.tag, span, error.problem.replace(/\.$/, ""), error.remedy);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
const unflipped = (digit: number) => ({ digit, isFlipped: false });

function stepsOf(lengths: readonly number[], operation: Operation): Step[] {
  const axesOf = (...axes: readonly number[]) => checkAxes(lengths, axes);
  switch (operation.kind) {
    case "flip": {
      axesOf(...operation.axes);
      const isFlipped = (axis: number) => operation.axes.filter((other) => other === axis).length % 2 === 1;
      return [
        axisStep(
          lengths,
          range(lengths.length).map((digit) => ({ digit, isFlipped: isFlipped(digit) })),
        ),
      ];
    }
    case "shift":
      axesOf(operation.axis);
      checkInteger("A shift", operation.by);
      return [moveStep(lengths, operation.axis, shiftMove(lengths[operation.axis], operation.by))];
    case "pshift": {
      axesOf(operation.axis);
      checkInteger("A shift", operation.by);
      const length = lengths[operation.axis];
      return [moveStep(lengths, operation.axis, windowMove(length, length, operation.by))];
    }
    case "pad":
    case "crop": {
      const { kind, axis, before, after } = operation;
      axesOf(axis);
      checkInteger(`A ${kind}`, before, 0);
      checkInteger(`A ${kind}`, after, 0);
      const [first, last] = kind === "pad" ? [before, after] : [-before, -after];
      const length = lengths[axis] + first + last;
      if (length < 1) {
        throw badArgument(
          `A crop of ${before} and ${after} leaves nothing of ${lengths[axis]}.`,
          "Leave an element.",
        );
      }
      return [moveStep(lengths, axis, windowMove(lengths[axis], length, first))];
    }
    case "crinkle":
    case "uncrinkle":
      axesOf(operation.axis);
      return crinkleSteps(lengths, operation);
    case "transpose": {
      const [a, b] = axesOf(...operation.axes);
      return [
        axisStep(
          lengths,
          range(lengths.length).map((i) => unflipped(i === a ? b : i === b ? a : i)),
        ),
      ];
    }
    case "permute": {
      const axes = axesOf(...operation.axes);
      if (axes.length === lengths.length && new Set(axes).size === axes.length) {
        return [axisStep(lengths, axes.map(unflipped))];
      }
      throw badArgument(
        `permute(${axes.join(", ")}) is no order of ${lengths.length} axes.`,
        "Name each axis once.",
      );
    }
    case "tile":
      return [tileStep(lengths, operation.lengths)];
    case "untile":
      return [untileStep(lengths)];
    case "morton":
      return [mortonStep(lengths)];
    case "unmorton": {
      checkLengths(operation.lengths);
      const count = countOf(operation.lengths);
      if (lengths.length === 1 && lengths[0] === count) return [invertedStep(mortonStep(operation.lengths))];
      throw badArgument(
        `${printShape({ lengths })} is not ${printShape({ lengths: operation.lengths })} in Morton order.`,
        `It takes one axis of ${count} elements.`,
      );
    }
  }
}

function checkAxes(lengths: readonly number[], axes: readonly number[]): readonly number[] {
  const missing = axes.find((axis) => !(axis in lengths));
  if (missing === undefined) return axes;
  throw badArgument(
    `There is no axis ${missing} in ${printShape({ lengths })}.`,
    lengths.length === 1 ? "Its axis is 0." : `Its axes are 0, the fastest, to ${lengths.length - 1}.`,
  );
}

function checkInteger(what: string, value: number, lower = Number.NEGATIVE_INFINITY): void {
  if (Number.isSafeInteger(value) && value >= lower) return;
  throw badArgument(
    `${what} of ${value} elements cannot be made.`,
    `Give a whole number${lower === 0 ? " from 0 on" : ""}.`,
  );
}

/** Equation 22 of seed 002, a bijection where the step divides the length alone. */
function crinkleSteps(
  lengths: readonly number[],
  operation: Extract<Operation, { kind: "crinkle" | "uncrinkle" }>,
): Step[] {
  const { kind, axis, step } = operation;
  checkInteger("A step", step, 1);
  const length = lengths[axis];
  const missing = (step - (length % step)) % step;
  if (missing > 0 && !(kind === "crinkle" && operation.pads)) {
    throw badArgument(
      `${kind}(${axis}, ${step}) needs a length that ${step} divides; axis ${axis} has ${length}.`,
      kind === "crinkle"
        ? `crinkle(${axis}, ${step}, pad) adds ${missing} zeros.`
        : "Use the step that it was crinkled with.",
    );
  }
  const padded = moveStep(lengths, axis, windowMove(length, length + missing, 0));
  const quotient = (length + missing) / step;
  const low = kind === "crinkle" ? step : quotient;
  const high = (length + missing) / low;
  const radices = padded.to.flatMap((n, i) => (i === axis ? [low, high] : [n, 1]));
  const order = padded.to.flatMap((_, i) => (i === axis ? [2 * i + 1, 2 * i] : [2 * i, 2 * i + 1]));
  const rearranged = digitStep(padded.to, padded.to, radices, order);
  return missing > 0 ? [padded, rearranged] : [rearranged];
}

function tileStep(lengths: readonly number[], tile: readonly number[]): Step {
  if (tile.length !== lengths.length) {
    throw badArgument(
      `A tile of ${tile.length} lengths does not fit ${printShape({ lengths })}.`,
      `Give ${lengths.length}, that of the fastest axis first.`,
    );
  }
  for (const [axis, length] of tile.entries()) {
    checkInteger("A tile", length, 1);
    if (lengths[axis] % length === 0) continue;
    throw badArgument(
      `Tiles of ${length} do not divide axis ${axis} of ${lengths[axis]}.`,
      `pad(${axis}, 0, ${length - (lengths[axis] % length)}) makes them.`,
    );
  }
  const counts = lengths.map((length, axis) => length / tile[axis]);
  const radices = lengths.flatMap((_, axis) => [tile[axis], counts[axis]]);
  const axes = range(lengths.length);
  const order = [...axes.map((axis) => 2 * axis), ...axes.map((axis) => 2 * axis + 1)];
  return digitStep(lengths, [...tile, ...counts], radices, order);
}

function untileStep(lengths: readonly number[]): Step {
  const count = lengths.length / 2;
  if (!Number.isInteger(count)) {
    throw badArgument(
      `${printShape({ lengths })} is not tiled.`,
      "Tiled arrays have an even number of axes.",
    );
  }
  const axes = range(count);
  const to = axes.map((axis) => lengths[axis] * lengths[count + axis]);
  return digitStep(
    lengths,
    to,
    lengths,
    axes.flatMap((axis) => [axis, count + axis]),
  );
}

function mortonStep(lengths: readonly number[]): ReturnType<typeof digitStep> {
  const odd = lengths.findIndex((length) => !isPowerOfTwo(length));
  if (odd >= 0) {
    const length = lengths[odd];
    const missing = 2 ** Math.ceil(Math.log2(length)) - length;
    throw badArgument(
      `Morton order takes lengths that are powers of two; axis ${odd} has ${length}.`,
      `pad(${odd}, 0, ${missing}) makes it one.`,
    );
  }
  const bits = lengths.map((length) => Math.log2(length));
  const digits = lengths.flatMap((_, axis) => range(bits[axis]).map((bit) => ({ axis, bit })));
  const order = range(digits.length).sort(
    (a, b) => digits[a].bit - digits[b].bit || digits[a].axis - digits[b].axis,
  );
  return digitStep(
    lengths,
    [countOf(lengths)],
    digits.map(() => 2),
    order,
  );
}
