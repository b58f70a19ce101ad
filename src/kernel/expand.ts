/**
 * Built-in functions and products of matrices in terms of operations on scalars, in a stated order, for whoever computes
 * by components: the interpreter with numbers, the emitter of JavaScript with pieces of code, tests with error bounds.
 */

import type { BinaryOperator } from "./ir.ts";
import { type FloatTest, floatTests, type NumberFunction, numberFunctions } from "./semantics.ts";
import { type MatrixType, type Scalar, scalarCount, scalarOf, type Type } from "./types.ts";

/** What computes with scalars of some representation. */
export interface Algebra<T> {
  literal(value: number | boolean, scalar: Scalar): T;
  /** Of operands of `scalar`; what it results in follows from the operator. */
  binary(operator: BinaryOperator, scalar: Scalar, a: T, b: T): T;
  /** A function of numbers, rounded to `scalar`. */
  apply(name: NumberFunction, scalar: Scalar, ...operands: readonly T[]): T;
  test(name: FloatTest, scalar: Scalar, x: T): T;
  select(scalar: Scalar, otherwise: T, value: T, condition: T): T;
  /** The same value, for use in several places. */
  share(value: T): T;
}

type Parts<T> = readonly T[];

/** A binary operation on values that are given by their scalars, matrices column by column. */
export function expandBinary<T>(
  algebra: Algebra<T>,
  operator: BinaryOperator,
  left: { readonly type: Type; readonly parts: Parts<T> },
  right: { readonly type: Type; readonly parts: Parts<T> },
): T[] {
  const scalar = scalarOf(left.type)!;
  if (operator === "*" && left.type.kind === "matrix" && right.type.kind === "vector") {
    return timesVector(algebra, left.type, share(algebra, left.parts), share(algebra, right.parts));
  }
  if (operator === "*" && left.type.kind === "vector" && right.type.kind === "matrix") {
    const [vector, matrix] = [share(algebra, left.parts), share(algebra, right.parts)];
    return columnsOf(right.type, matrix).map((column) => dot(algebra, scalar, vector, column));
  }
  if (operator === "*" && left.type.kind === "matrix" && right.type.kind === "matrix") {
    const { type } = left;
    const [a, b] = [share(algebra, left.parts), share(algebra, right.parts)];
    return columnsOf(right.type, b).flatMap((column) => timesVector(algebra, type, a, column));
  }
  const count = Math.max(left.parts.length, right.parts.length);
  const a = left.parts.length < count ? share(algebra, left.parts) : left.parts;
  const b = right.parts.length < count ? share(algebra, right.parts) : right.parts;
  return Array.from({ length: count }, (_, k) =>
    algebra.binary(operator, scalar, a[k % a.length], b[k % b.length]),
  );
}

const share = <T>(algebra: Algebra<T>, parts: Parts<T>): T[] => parts.map((part) => algebra.share(part));

const columnsOf = <T>({ columns, rows }: MatrixType, parts: Parts<T>): Parts<T>[] =>
  Array.from({ length: columns }, (_, c) => parts.slice(c * rows, (c + 1) * rows));

function timesVector<T>(algebra: Algebra<T>, type: MatrixType, matrix: Parts<T>, vector: Parts<T>): T[] {
  return Array.from({ length: type.rows }, (_, r) =>
    dot(
      algebra,
      type.scalar,
      Array.from({ length: type.columns }, (_, c) => matrix[c * type.rows + r]),
      vector,
    ),
  );
}

/** The sum of products, from left to right. */
function dot<T>(algebra: Algebra<T>, scalar: Scalar, a: Parts<T>, b: Parts<T>): T {
  return a
    .map((part, k) => algebra.binary("*", scalar, part, b[k]))
    .reduce((sum, product) => algebra.binary("+", scalar, sum, product));
}

/** A call of a built-in function with arguments that are given by their scalars. */
export function expandBuiltin<T>(
  algebra: Algebra<T>,
  name: string,
  types: readonly Type[],
  given: readonly Parts<T>[],
): T[] {
  const [type] = types;
  const scalar = scalarOf(type)!;
  const whole = wholes[name];
  if (whole) return whole(context(algebra, scalar), type, given);
  const count = Math.max(...types.map(scalarCount));
  const isOne = (parts: Parts<T>) => parts.length < count;
  const shared = given.map((parts) => (isOne(parts) ? share(algebra, parts) : parts));
  const operands = (k: number) => shared.map((parts) => parts[isOne(parts) ? 0 : k]);
  return Array.from({ length: count }, (_, k) => componentOf(algebra, name, scalar, operands(k)));
}

const isNumberFunction = (name: string): name is NumberFunction => Object.hasOwn(numberFunctions, name);
const isFloatTest = (name: string): name is FloatTest => Object.hasOwn(floatTests, name);

function componentOf<T>(algebra: Algebra<T>, name: string, scalar: Scalar, operands: Parts<T>): T {
  if (isFloatTest(name)) return algebra.test(name, scalar, operands[0]);
  if (name === "extractBits" && scalar === "i32")
    return algebra.apply("extractSignedBits", scalar, ...operands);
  if (isNumberFunction(name)) return algebra.apply(name, scalar, ...operands);
  const combined = combinations[name];
  if (!combined) throw new Error(`${name} is no built-in function`);
  return combined(context(algebra, scalar), operands);
}

interface Context<T> {
  readonly algebra: Algebra<T>;
  readonly scalar: Scalar;
  add(a: T, b: T): T;
  sub(a: T, b: T): T;
  mul(a: T, b: T): T;
  div(a: T, b: T): T;
  number(value: number): T;
}

function context<T>(algebra: Algebra<T>, scalar: Scalar): Context<T> {
  const operation = (operator: BinaryOperator) => (a: T, b: T) => algebra.binary(operator, scalar, a, b);
  return {
    algebra,
    scalar,
    add: operation("+"),
    sub: operation("-"),
    mul: operation("*"),
    div: operation("/"),
    number: (value) => algebra.literal(value, scalar),
  };
}

type Combination = <T>(context: Context<T>, operands: Parts<T>) => T;

/** Functions by component that are several operations. */
const combinations: Readonly<Record<string, Combination>> = {
  clamp: ({ algebra, scalar }, [x, low, high]) =>
    algebra.apply("min", scalar, algebra.apply("max", scalar, x, low), high),
  fract: ({ algebra, scalar, sub }, [x]) => {
    const shared = algebra.share(x);
    return sub(shared, algebra.apply("floor", scalar, shared));
  },
  inverseSqrt: ({ algebra, scalar, div, number }, [x]) => div(number(1), algebra.apply("sqrt", scalar, x)),
  mix: ({ algebra, add, sub, mul, number }, [a, b, t]) => {
    const share = algebra.share(t);
    return add(mul(a, sub(number(1), share)), mul(b, share));
  },
  step: ({ algebra, scalar, number }, [edge, x]) =>
    algebra.select(scalar, number(0), number(1), algebra.binary("<=", scalar, edge, x)),
  smoothstep: ({ algebra, scalar, sub, mul, div, number }, [low, high, x]) => {
    const from = algebra.share(low);
    const share = div(sub(x, from), sub(high, from));
    const above = algebra.apply("max", scalar, share, number(0));
    const t = algebra.share(algebra.apply("min", scalar, above, number(1)));
    return mul(mul(t, t), sub(number(3), mul(number(2), t)));
  },
  select: ({ algebra, scalar }, [otherwise, value, condition]) =>
    algebra.select(scalar, otherwise, value, condition),
};

type Whole = <T>(context: Context<T>, type: Type, given: readonly Parts<T>[]) => T[];

const length: <T>(context: Context<T>, parts: Parts<T>) => T = ({ algebra, scalar }, parts) => {
  if (parts.length === 1) return algebra.apply("abs", scalar, parts[0]);
  const shared = share(algebra, parts);
  return algebra.apply("sqrt", scalar, dot(algebra, scalar, shared, shared));
};

/** Functions of whole vectors and matrices. */
const wholes: Readonly<Record<string, Whole>> = {
  all: ({ algebra }, _, [x]) => [x.reduce((a, b) => algebra.binary("&", "bool", a, b))],
  any: ({ algebra }, _, [x]) => [x.reduce((a, b) => algebra.binary("|", "bool", a, b))],
  dot: ({ algebra, scalar }, _, [a, b]) => [dot(algebra, scalar, share(algebra, a), share(algebra, b))],
  cross: ({ algebra, sub, mul }, _, given) => {
    const [a, b] = given.map((parts) => share(algebra, parts));
    return [
      [1, 2],
      [2, 0],
      [0, 1],
    ].map(([i, j]) => sub(mul(a[i], b[j]), mul(a[j], b[i])));
  },
  length: (context, _, [x]) => [length(context, x)],
  distance: (context, _, [a, b]) => [
    length(
      context,
      a.map((part, k) => context.sub(part, b[k])),
    ),
  ],
  normalize: (context, _, [x]) => {
    const parts = share(context.algebra, x);
    const size = context.algebra.share(length(context, parts));
    return parts.map((part) => context.div(part, size));
  },
  transpose: (_, type, [m]) => {
    if (type.kind !== "matrix") return [...m];
    const { columns, rows } = type;
    return Array.from({ length: m.length }, (_, k) => m[(k % columns) * rows + Math.floor(k / columns)]);
  },
  determinant: (context, type, [m]) => {
    const columns = type.kind === "matrix" ? columnsOf(type, share(context.algebra, m)) : [];
    return [determinant(context, columns)];
  },
};

/** By the first row, columns in order. */
function determinant<T>(context: Context<T>, columns: readonly Parts<T>[]): T {
  const { algebra, add, sub, mul } = context;
  if (columns.length === 1) return columns[0][0];
  const terms = columns.map((column, c) => {
    const others = columns.filter((_, other) => other !== c).map((rows) => rows.slice(1));
    return mul(column[0], algebra.share(determinant(context, others)));
  });
  return terms.reduce((sum, term, c) => (c % 2 === 1 ? sub(sum, term) : add(sum, term)));
}
