import { describe, expect, it } from "vitest";
import { arrayOf, bytesPerElement, type DType, dtypes, type TypedArray } from "../../../core/dtype.ts";
import { bytesOf, decodeData } from "../data.ts";
import type { CommunicatorError } from "../errors.ts";
import { defineReduction } from "../operators.ts";
import { expectSame, numbers } from "../testing/data.ts";
import { add, and, type BuiltIn, max, min, mul, or, xor } from "./elements.ts";
import { maxloc, minloc } from "./locations.ts";

type Scalar = number | bigint;

const isFloat = (dtype: DType) => dtype === "f32" || dtype === "f64";
const isBig = (dtype: DType) => dtype === "i64" || dtype === "u64";

/** Integers exactly, then wrapped; floating-point numbers as in JavaScript, then rounded. */
function arithmetic(
  big: (a: bigint, b: bigint) => bigint,
  real: (a: number, b: number) => number,
): (dtype: DType, a: Scalar, b: Scalar) => Scalar {
  return (dtype, a, b) => {
    if (isFloat(dtype)) return real(a as number, b as number);
    const wrapped = BigUint64Array.of(BigInt.asUintN(64, big(BigInt(a), BigInt(b))));
    return new (arrayOf(dtype))(wrapped.buffer, 0, 1)[0];
  };
}

const lesser = (a: bigint, b: bigint) => [a, b].sort((x, y) => Number(x - y))[0];

const ofElements = new Map([
  [
    add,
    arithmetic(
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  ],
  [
    mul,
    arithmetic(
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ],
  [min, arithmetic(lesser, Math.min)],
  [max, arithmetic((a, b) => -lesser(-a, -b), Math.max)],
]);

const ofBytes = new Map([
  [and, (a: number, b: number) => a & b],
  [or, (a: number, b: number) => a | b],
  [xor, (a: number, b: number) => a ^ b],
]);

const named = (operators: Iterable<BuiltIn>) =>
  [...operators].map((operator) => [operator.name, operator] as const);

const special = [0, -0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-310];

describe.each(dtypes)("on %s", (dtype) => {
  const width = bytesPerElement(dtype);
  const bits = (length: number, seed: number) => numbers("u8", length * width, seed) as Uint8Array;

  it.each(named(ofElements.keys()))("%s", (_, operator) => {
    const operate = ofElements.get(operator);
    for (const length of [0, 1, 5, 1024, 2051]) {
      const [a, b] = [numbers(dtype, length, 1), numbers(dtype, length, 2)];
      if (isFloat(dtype) && length > 64) {
        for (const [i, x] of special.entries()) {
          for (const [j, y] of special.entries()) [a[8 * i + j], b[8 * i + j]] = [x, y];
        }
      }
      const [from, to] = [Math.min(1, length), length - (length >> 2)];
      const [given, expected] = [a.slice(), b.slice()];
      for (let i = from; i < to; i++) expected[i] = operate?.(dtype, a[i], b[i]) as never;
      operator.combine(a, b, from, to);
      expectSame(a, given);
      // NaN has many bit patterns, which engines need not preserve.
      if (isFloat(dtype)) expect([...b]).toEqual([...expected]);
      else expectSame(b, expected);
    }
  });

  it.each(named(ofBytes.keys()))("%s", (_, operator) => {
    const operate = ofBytes.get(operator);
    for (const length of [0, 1, 5, 1024, 2051]) {
      const [a, b] = [1, 2].map((seed) =>
        decodeData({ code: dtypes.indexOf(dtype), bytes: bits(length, seed) }),
      );
      const [from, to] = [Math.min(1, length), length - (length >> 2)];
      const expected = bits(length, 2);
      const other = bits(length, 1);
      for (let i = from * width; i < to * width; i++)
        expected[i] = operate?.(other[i], expected[i]) as number;
      operator.combine(a as TypedArray, b as TypedArray, from, to);
      expectSame(bytesOf(b as TypedArray), expected);
      expectSame(bytesOf(a as TypedArray), other);
    }
  });

  it("minloc and maxloc", () => {
    const [small, large] = isBig(dtype) ? [2n, 5n] : [2, 5];
    const at = (k: number) => (isBig(dtype) ? BigInt(k) : k) as number;
    const array = (...elements: Scalar[]) => {
      const made = new (arrayOf(dtype))(elements.length);
      for (const [i, x] of elements.entries()) made[i] = x as never;
      return made;
    };
    const a = array(small, at(7), small, at(1), large, at(3), small, at(9));
    const pairs = () => array(large, at(1), small, at(2), large, at(2), small, at(4));
    const [least, most] = [pairs(), pairs()];
    minloc.combine?.(a, least, 0, 8);
    expectSame(least, array(small, at(7), small, at(1), large, at(2), small, at(4)));
    maxloc.combine?.(a, most, 0, 8);
    expectSame(most, array(large, at(1), small, at(1), large, at(2), small, at(4)));
    const some = pairs();
    minloc.combine?.(a, some, 2, 4);
    expectSame(some, array(large, at(1), small, at(1), large, at(2), small, at(4)));
  });
});

it("skips NaN, and treats −0 as 0", () => {
  const both = (a: number[], b: number[]) => {
    const ends = [minloc, maxloc].map((operator) => {
      const [first, second] = [Float64Array.from(b), Float64Array.from(a)];
      operator.combine?.(Float64Array.from(a), first, 0, 2);
      operator.combine?.(Float64Array.from(b), second, 0, 2);
      expect([...first]).toEqual([...second]);
      return [...first];
    });
    expect(ends[0]).toEqual(ends[1]);
    return ends[0];
  };
  expect(both([Number.NaN, 0], [3, 5])).toEqual([3, 5]);
  expect(both([Number.NaN, 4], [Number.NaN, 2])).toEqual([Number.NaN, 2]);
  expect(both([-0, 4], [0, 2])).toEqual([0, 2]);
  expect(both([0, 4], [-0, 2])).toEqual([-0, 2]);
});

it("works at any alignment", () => {
  for (const operator of [and, xor, add]) {
    const [a, b] = [numbers("u8", 1300, 1) as Uint8Array, numbers("u8", 1300, 2) as Uint8Array];
    const expected = b.slice(3, 1250);
    operator.combine(a.slice(3, 1250), expected, 0, expected.length);
    operator.combine(a.subarray(3, 1250), b.subarray(3, 1250), 0, 1247);
    expectSame(b.slice(3, 1250), expected);
    expectSame(b.slice(0, 3), (numbers("u8", 1300, 2) as Uint8Array).slice(0, 3));
  }
});

it("joins numbers, true and false, and nothing else", () => {
  expect([add, mul, min, max].map((operator) => operator.ofValues(6, -4))).toEqual([2, -24, -4, 6]);
  const tables = [and, or, xor].map((operator) =>
    [0, 1, 2, 3].map((k) => operator.ofValues(k > 1, k % 2 === 1)),
  );
  expect(tables).toEqual([
    [false, false, false, true],
    [false, true, true, true],
    [false, true, true, false],
  ]);
  const refusals = [() => add.ofValues("a", "b"), () => and.ofValues(1, 3), () => max.ofValues(true, false)];
  for (const refused of refusals) expect(refused).toThrow(expect.objectContaining({ mpi: "MPI_ERR_OP" }));
});

it("defines custom reductions", () => {
  const hypot = defineReduction({ name: "hypot", isCommutative: true, element: Math.hypot });
  const b: TypedArray = Float32Array.of(4, 12, 1);
  hypot.combine?.(Float32Array.of(3, 5, 0), b, 0, 2);
  expect([...b]).toEqual([5, 13, 1]);
  expect(hypot).toMatchObject({ name: "hypot", isCommutative: true, group: 1 });
  const longest = defineReduction({
    name: "longest",
    join: (a: string, b: string) => (b.length > a.length ? b : a),
  });
  expect(longest.join?.("abc", "ab")).toBe("abc");
  expect(longest.isCommutative).toBe(false);
  const ends: Partial<CommunicatorError> = { tag: "BadArgument", mpi: "MPI_ERR_OP" };
  expect(() => defineReduction({ name: "none" })).toThrow(expect.objectContaining(ends));
  expect(() => defineReduction({ name: "half", element: Math.min, group: 0.5 })).toThrow(
    expect.objectContaining(ends),
  );
});
