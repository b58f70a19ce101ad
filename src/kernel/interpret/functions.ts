/** The built-in functions of kernels, on the interpreter's values. */
import {
  binaryScalar,
  type FloatTest,
  floatTests,
  type NumberFunction,
  numberFunctions,
  rounded,
  type ScalarValue,
} from "../semantics.ts";
import type { Scalar } from "../types.ts";
import { dot, isAggregate, mapScalars, parts, scalarsIn, type Value } from "./values.ts";

type OfNumbers = (...numbers: number[]) => number;

/** Functions by component that are several operations, each rounded to the type. */
const combinations: Readonly<Record<string, (round: (x: number) => number) => OfNumbers>> = {
  clamp: () => (x, low, high) => numberFunctions.min(numberFunctions.max(x, low), high),
  fract: () => (x) => x - Math.floor(x),
  inverseSqrt: (round) => (x) => 1 / round(Math.sqrt(x)),
  mix: (round) => (a, b, t) => round(a * round(1 - t)) + round(b * t),
  step: () => (edge, x) => (edge <= x ? 1 : 0),
  smoothstep: (round) => (low, high, x) => {
    const share = round(round(x - low) / round(high - low));
    const t = numberFunctions.min(numberFunctions.max(share, 0), 1);
    return round(t * t) * round(3 - round(2 * t));
  },
};

/** A built-in function of scalars, with operands of the type. */
export function componentFunctions(name: string, scalar: Scalar): (...scalars: ScalarValue[]) => ScalarValue {
  if (Object.hasOwn(floatTests, name)) return (x) => floatTests[name as FloatTest](Number(x));
  const round = (x: number) => rounded(scalar, x);
  const own = name === "extractBits" && scalar === "i32" ? "extractSignedBits" : name;
  const known: OfNumbers = Object.hasOwn(combinations, name)
    ? combinations[name](round)
    : numberFunctions[own as NumberFunction];
  return (...scalars) => round(known(...scalars.map(Number)));
}

type WholeFunction = (scalar: Scalar, values: readonly Value[]) => Value;

const lengthOf = (scalar: Scalar, value: Value): number =>
  isAggregate(value) ? rounded(scalar, Math.sqrt(dot(scalar, value, value))) : Math.abs(Number(value));

/** Built-in functions that do not work by component. */
export const wholeFunctions: Readonly<Record<string, WholeFunction>> = {
  select: (_, [otherwise, value, condition]) =>
    isAggregate(condition)
      ? mapScalars((no, yes, is) => (is ? yes : no), [otherwise, value, condition])
      : condition
        ? value
        : otherwise,
  all: (_, [x]) => scalarsIn(x).every(Boolean),
  any: (_, [x]) => scalarsIn(x).some(Boolean),
  dot: (scalar, [a, b]) => dot(scalar, parts(a), parts(b)),
  cross: (scalar, [a, b]) => {
    const [x, y] = [parts(a).map(Number), parts(b).map(Number)];
    const term = (i: number, j: number) =>
      rounded(scalar, rounded(scalar, x[i] * y[j]) - rounded(scalar, x[j] * y[i]));
    return [term(1, 2), term(2, 0), term(0, 1)];
  },
  length: (scalar, [x]) => lengthOf(scalar, x),
  distance: (scalar, [a, b]) =>
    lengthOf(
      scalar,
      mapScalars((x, y) => binaryScalar("-", scalar, x, y), [a, b]),
    ),
  normalize: (scalar, [x]) => {
    const length = lengthOf(scalar, x);
    return mapScalars((component) => rounded(scalar, Number(component) / length), [x]);
  },
  transpose: (_, [m]) => parts(parts(m)[0]).map((_, row) => parts(m).map((column) => parts(column)[row])),
  determinant: (scalar, [m]) =>
    determinant(
      scalar,
      parts(m).map((column) => parts(column).map(Number)),
    ),
};

/** By the first row, columns in order. */
function determinant(scalar: Scalar, columns: readonly (readonly number[])[]): number {
  if (columns.length === 1) return columns[0][0];
  const terms = columns.map((column, c) => {
    const others = columns.filter((_, other) => other !== c).map((rows) => rows.slice(1));
    const term = rounded(scalar, column[0] * determinant(scalar, others));
    return c % 2 === 0 ? term : -term;
  });
  return terms.reduce((sum, term) => rounded(scalar, sum + term));
}
