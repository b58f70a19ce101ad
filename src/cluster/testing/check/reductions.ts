import type { TypedArray } from "../../../core/dtype.ts";
import { add, max, min } from "../../communicator/operators/elements.ts";
import { maxloc } from "../../communicator/operators/locations.ts";
import { defineReduction, type ElementReduction } from "../../communicator/operators.ts";
import { type Case, filled, isSame, nameOf, operandOf, ranksOf, rootsOf, type Shape, typed } from "./case.ts";

/** A reduction, each rank's operand, and the result for ranks 0 … count − 1, computed in another way. */
interface Problem {
  readonly name: string;
  readonly operator: ElementReduction;
  part(rank: number): TypedArray;
  expected(count: number): TypedArray;
}

function elementwise(operator: ElementReduction, shape: Shape, f: (a: number, b: number) => number): Problem {
  return {
    name: `${operator.name}, ${nameOf(shape)}`,
    operator,
    part: (rank) => operandOf(shape, rank),
    expected: (count) => {
      const values = operandOf({ ...shape, dtype: "f64" }, 0) as Float64Array;
      for (let rank = 1; rank < count; rank++) {
        const part = operandOf({ ...shape, dtype: "f64" }, rank) as Float64Array;
        for (let i = 0; i < values.length; i++) values[i] = f(values[i], part[i]);
      }
      return typed(shape.dtype, values);
    },
  };
}

/**
 * Composes maps x → a x + b modulo 2³², given as pairs (a, b), the lower rank's first: detects a wrong
 * order of ranks.
 */
const composition = defineReduction({
  name: "composition of affine maps",
  group: 2,
  combine: (a, b, from, to) => {
    for (let i = from; i < to; i += 2) {
      const factor = Number(b[i]);
      b[i + 1] = (Math.imul(factor, Number(a[i + 1])) + Number(b[i + 1])) >>> 0;
      b[i] = Math.imul(factor, Number(a[i])) >>> 0;
    }
  },
});

/** Applies the ranks' maps to 0 and to 1, one after the other. */
function ordered(length: number): Problem {
  const shape: Shape = { dtype: "u32", length: length - (length % 2) };
  const valueAt = (rank: number, i: number) => (i % 2 === 0 ? 3 + 2 * rank : i + 1000 * rank);
  return {
    name: `an operator that depends on the order, ${nameOf(shape)}`,
    operator: composition,
    part: (rank) => filled(shape.dtype, shape.length, (i) => valueAt(rank, i)),
    expected: (count) => {
      const apply = (i: number, start: number) => {
        let x = start;
        for (let rank = 0; rank < count; rank++) {
          x = (Math.imul(valueAt(rank, i), x) + valueAt(rank, i + 1)) >>> 0;
        }
        return x;
      };
      return filled(shape.dtype, shape.length, (i) =>
        i % 2 === 0 ? (apply(i, 1) - apply(i, 0)) >>> 0 : apply(i - 1, 0),
      );
    },
  };
}

/**
 * Pairs (value, rank) with equal values on all ranks except for one each: the lowest of the best ranks
 * wins.
 */
function located(length: number): Problem {
  const shape: Shape = { dtype: "f32", length: length - (length % 2) };
  const valueAt = (rank: number, pair: number) => (pair % 5 === rank % 5 ? 9 : 4);
  return {
    name: `maxloc, ${nameOf(shape)}`,
    operator: maxloc,
    part: (rank) => filled(shape.dtype, shape.length, (i) => (i % 2 === 0 ? valueAt(rank, i >> 1) : rank)),
    expected: (count) =>
      filled(shape.dtype, shape.length, (i) => {
        const best = (i >> 1) % 5;
        return i % 2 === 0 ? (best < count ? 9 : 4) : best < count ? best : 0;
      }),
  };
}

const allreduced = ({ name, operator, part, expected }: Problem): Case => ({
  name: `allreduce, ${name}`,
  run: async (communicator) =>
    isSame(await communicator.allreduce(part(communicator.rank), operator), expected(communicator.size)),
});

/** Every reduction of one problem; reduces to the given roots. */
const calls = (problem: Problem, roots: readonly number[]): readonly Case[] => {
  const { name, operator, part, expected } = problem;
  return [
    allreduced(problem),
    ...roots.map(
      (root): Case => ({
        name: `reduce to ${root}, ${name}`,
        async run(communicator) {
          const got = await communicator.reduce(part(communicator.rank), operator, root);
          return isSame(got, communicator.rank === root ? expected(communicator.size) : undefined);
        },
      }),
    ),
    {
      name: `reduceScatter, ${name}`,
      async run(communicator) {
        const { rank, size } = communicator;
        const all = expected(size);
        const groups = all.length / operator.group;
        const bounds = ranksOf({ size: size + 1 }).map(
          (k) => operator.group * Math.floor((groups * k * k) / size ** 2),
        );
        const counts = ranksOf(communicator).map((k) => bounds[k + 1] - bounds[k]);
        const got = await communicator.reduceScatter(part(rank), counts, operator);
        return isSame(got, all.slice(bounds[rank], bounds[rank + 1]));
      },
    },
    {
      name: `scan and exscan, ${name}`,
      async run(communicator) {
        const { rank } = communicator;
        const scanned = await communicator.scan(part(rank), operator);
        const before = await communicator.exscan(part(rank), operator);
        return isSame(scanned, expected(rank + 1)) && isSame(before, rank === 0 ? undefined : expected(rank));
      },
    },
  ];
};

/** Sums that are rounded: the same bits whichever rank is the root, and on all ranks. */
const rounded = (length: number): Case => ({
  name: `the same bits of sums for every root, ${nameOf({ dtype: "f32", length })}`,
  async run(communicator) {
    const { rank } = communicator;
    const part = filled("f32", length, (i) => 1 / (1 + i + 7 * rank));
    const sums: TypedArray[] = [];
    for (const root of ranksOf(communicator)) {
      const sum = await communicator.reduce<TypedArray>(part, add, root);
      sums.push(await communicator.bcast<TypedArray>(sum, root));
    }
    const every = await communicator.allgather<TypedArray>(await communicator.allreduce(part, add));
    return sums.every((sum) => isSame(sum, sums[0])) && every.every((one) => isSame(one, every[0]));
  },
});

const concatenate = defineReduction({ name: "concatenate", join: (a: string, b: string) => a + b });

const values: Case = {
  name: "allreduce, reduce and scan of small values",
  async run(communicator) {
    const { rank, size } = communicator;
    const words = ranksOf(communicator).map((k) => `${k}ß`.repeat(k + 1));
    const [all, one, some, sum] = await Promise.all([
      communicator.allreduce(words[rank], concatenate),
      communicator.reduce(words[rank], concatenate, size - 1),
      communicator.scan(words[rank], concatenate),
      communicator.allreduce<number>(rank, add),
    ]);
    return (
      all === words.join("") &&
      one === (rank === size - 1 ? words.join("") : undefined) &&
      some === words.slice(0, rank + 1).join("") &&
      sum === (size * (size - 1)) / 2
    );
  },
};

const sumOf = (shape: Shape) => elementwise(add, shape, (a, b) => a + b);
const minOf = (shape: Shape) => elementwise(min, shape, (a, b) => Math.min(a, b));
const greatestOf = (shape: Shape) => elementwise(max, shape, (a, b) => Math.max(a, b));

/** Reductions: the first of the arrays to several roots, the others to one. */
export const reductionCases = (
  size: number,
  shapes: readonly Shape[],
  ofEveryType: readonly Shape[],
): readonly Case[] => [
  ...shapes.flatMap((shape, k) =>
    [sumOf(shape), ordered(shape.length), located(shape.length)].flatMap((problem) =>
      calls(problem, k === 0 ? rootsOf(size) : [size - 1]),
    ),
  ),
  ...ofEveryType.flatMap((shape, k) => [
    allreduced(sumOf(shape)),
    allreduced((k % 2 ? minOf : greatestOf)(shape)),
  ]),
  ...[9, 100, 5000].map(rounded),
  values,
];
