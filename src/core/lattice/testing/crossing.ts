/** Where curves of two lattices of different sizes cross, as Binder's cumulants do at a critical temperature. */
import { philoxReference } from "./philox.ts";

/** A measure at a value of a parameter. */
export interface CurvePoint {
  readonly value: number;
  readonly mean: number;
  /** One standard error. */
  readonly error: number;
}

export interface Crossing {
  readonly value: number;
  /** One standard error. */
  readonly error: number;
  /** Of the straight line through the differences, in standard deviations of χ² from its mean. */
  readonly misfit: number;
}

const redraws = 400;

/** The zero of the straight line that fits best, with the weights 1 / error². */
function lineOf(points: readonly CurvePoint[]): { readonly zero: number; readonly chiSquare: number } {
  const weights = points.map(({ error }) => error ** -2);
  const mean = (of: (point: CurvePoint) => number) =>
    points.reduce((sum, point, k) => sum + weights[k] * of(point), 0) /
    weights.reduce((sum, w) => sum + w, 0);
  const middle = mean(({ value }) => value);
  const level = mean(({ mean: y }) => y);
  const slope =
    mean(({ value, mean: y }) => (value - middle) * y) / mean(({ value }) => (value - middle) ** 2);
  return {
    zero: middle - level / slope,
    chiSquare: points.reduce(
      (sum, { value, mean: y }, k) => sum + weights[k] * (y - level - slope * (value - middle)) ** 2,
      0,
    ),
  };
}

/** A normal number of mean 0 and variance 1 for each counter (Box and Muller). */
function normal(k: number, draw: number): number {
  const [a, b] = philoxReference([k, draw, 0, 0], [1, 0]).map((word) => (word + 0.5) / 2 ** 32);
  return Math.sqrt(-2 * Math.log(a)) * Math.cos(2 * Math.PI * b);
}

/**
 * Where the difference of two curves, at the same values of the parameter, is zero: on a straight line through it, which asks for values near
 * the crossing. The error is that of lines through differences that are drawn again with their errors (parametric bootstrap).
 */
export function crossingOf(one: readonly CurvePoint[], other: readonly CurvePoint[]): Crossing {
  const differences = one.map(({ value, mean, error }, k) => ({
    value,
    mean: other[k].mean - mean,
    error: Math.hypot(error, other[k].error),
  }));
  const { zero, chiSquare } = lineOf(differences);
  const zeros = Array.from(
    { length: redraws },
    (_, draw) =>
      lineOf(differences.map((point, k) => ({ ...point, mean: point.mean + point.error * normal(k, draw) })))
        .zero,
  );
  const mean = zeros.reduce((sum, value) => sum + value, 0) / redraws;
  const squares = zeros.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const freedom = one.length - 2;
  return {
    value: zero,
    error: Math.sqrt(squares / (redraws - 1)),
    misfit: (chiSquare - freedom) / Math.sqrt(2 * freedom),
  };
}
