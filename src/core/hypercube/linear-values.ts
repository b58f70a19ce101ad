/** What is read off the expressions of `linear.ts`: their values, their axes, and what they are of other coordinates. */
import { type Atom, type Linear, quotientOf, remainderOf, rotationOf, scaled, sumOf } from "./linear.ts";

/** The expression's value at coordinates. */
export function valueAt(x: Linear, coordinates: readonly number[]): number {
  return x.terms.reduce((sum, { factor, atom }) => sum + factor * atomAt(atom, coordinates), x.constant);
}

function atomAt(atom: Atom, coordinates: readonly number[]): number {
  if (atom.kind === "axis") return coordinates[atom.axis];
  const value = valueAt(atom.of, coordinates);
  switch (atom.kind) {
    case "quotient":
      return Math.floor(value / atom.by);
    case "remainder":
      return value % atom.by;
    case "rotation":
      return (value + atom.by) % atom.length;
  }
}

/** Between which values, both included, the expression lies where each coordinate lies in [first, last]. */
export function rangeOver(
  x: Linear,
  first: readonly number[],
  last: readonly number[],
): readonly [min: number, max: number] {
  let [min, max] = [x.constant, x.constant];
  for (const { factor, atom } of x.terms) {
    const [low, high] = atomRange(atom, first, last);
    min += factor * (factor > 0 ? low : high);
    max += factor * (factor > 0 ? high : low);
  }
  return [Math.max(min, x.min), Math.min(max, x.max)];
}

function atomRange(
  atom: Atom,
  first: readonly number[],
  last: readonly number[],
): readonly [min: number, max: number] {
  if (atom.kind === "axis") return [first[atom.axis], last[atom.axis]];
  const [low, high] = rangeOver(atom.of, first, last);
  if (atom.kind === "quotient") return [Math.floor(low / atom.by), Math.floor(high / atom.by)];
  const [by, length] = atom.kind === "remainder" ? [0, atom.by] : [atom.by, atom.length];
  const isOneTurn = Math.floor((low + by) / length) === Math.floor((high + by) / length);
  return isOneTurn ? [(low + by) % length, (high + by) % length] : [0, length - 1];
}

/** The expression of coordinates that are given as expressions themselves. */
export const substituted = (x: Linear, given: readonly Linear[]): Linear =>
  sumOf(
    x.terms.map(({ factor, atom }) => scaled(atomOf(atom, given), factor)),
    x.constant,
  );

function atomOf(atom: Atom, given: readonly Linear[]): Linear {
  if (atom.kind === "axis") return given[atom.axis];
  const of = substituted(atom.of, given);
  switch (atom.kind) {
    case "quotient":
      return quotientOf(of, atom.by);
    case "remainder":
      return remainderOf(of, atom.by);
    case "rotation":
      return rotationOf(of, atom.by, atom.length);
  }
}

/** The axes whose coordinates an expression reads. */
export function axesIn({ terms }: Linear): Set<number> {
  return new Set(terms.flatMap(({ atom }) => (atom.kind === "axis" ? [atom.axis] : [...axesIn(atom.of)])));
}
