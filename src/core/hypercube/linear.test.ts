import fc from "fast-check";
import { expect, it } from "vitest";
import {
  axisOf,
  type Linear,
  multipleOf,
  quotientOf,
  remainderOf,
  rotationOf,
  scaled,
  sumOf,
} from "./linear.ts";
import { rangeOver, valueAt } from "./linear-values.ts";

const lengths = [2, 3, 4] as const;

/** All coordinates of axes of these lengths. */
const everywhere = lengths.reduce<number[][]>(
  (all, length) => all.flatMap((at) => Array.from({ length }, (_, x) => [...at, x])),
  [[]],
);

/** Sums of multiples of coordinates, so that factors often have divisors in common. */
const sums = fc
  .tuple(fc.constantFrom(1, 2, 3, 4, 6), fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }), fc.nat(20))
  .map(([shared, factors, constant]) =>
    sumOf(
      factors.map((factor, axis) => scaled(axisOf(axis, lengths[axis]), shared * factor)),
      constant,
    ),
  );

function expectEverywhere(x: Linear, value: (at: readonly number[]) => number): void {
  const values = everywhere.map(value);
  expect(everywhere.map((at) => valueAt(x, at))).toEqual(values);
  expect(values.filter((one) => one < x.min || one > x.max)).toEqual([]);
}

it("divides, takes remainders and rotates as numbers do, whatever is simplified", () => {
  fc.assert(
    fc.property(sums, fc.integer({ min: 1, max: 24 }), fc.nat(30), (x, n, by) => {
      expectEverywhere(quotientOf(x, n), (at) => Math.floor(valueAt(x, at) / n));
      expectEverywhere(remainderOf(x, n), (at) => valueAt(x, at) % n);
      const length = x.max + n;
      expectEverywhere(rotationOf(x, by % length, length), (at) => (valueAt(x, at) + by) % length);
      const multiple = multipleOf(x, n);
      if (multiple) expectEverywhere(multiple.of, (at) => (valueAt(x, at) - multiple.rest) / n);
    }),
    { numRuns: 60 },
  );
});

it("knows between which values it lies in a box: all of them, and no others where digits begin anew", () => {
  const boxes = everywhere.flatMap((first) =>
    everywhere.filter((last) => last.every((x, axis) => x >= first[axis])).map((last) => [first, last]),
  );
  fc.assert(
    fc.property(sums, fc.integer({ min: 2, max: 24 }), fc.nat(30), fc.nat(), (x, n, by, which) => {
      const [first, last] = boxes[which % boxes.length];
      const inside = everywhere.filter((at) => at.every((c, axis) => c >= first[axis] && c <= last[axis]));
      const length = x.max + n;
      for (const each of [x, quotientOf(x, n), remainderOf(x, n), rotationOf(x, by % length, length)]) {
        const [min, max] = rangeOver(each, first, last);
        for (const at of inside) expect(valueAt(each, at)).toBeGreaterThanOrEqual(min);
        for (const at of inside) expect(valueAt(each, at)).toBeLessThanOrEqual(max);
      }
    }),
    { numRuns: 60 },
  );
  const middle = remainderOf(quotientOf(axisOf(0, 64), 4), 4);
  expect(rangeOver(middle, [20], [27])).toEqual([1, 2]);
  expect(rangeOver(middle, [12], [19])).toEqual([0, 3]);
  expect(rangeOver(rotationOf(axisOf(0, 64), 60, 64), [8], [15])).toEqual([4, 11]);
});

it("counts in groups where all terms do", () => {
  const q = axisOf(0, 16);
  const element = (j: number) => sumOf([scaled(q, 4)], j);
  expect(remainderOf(element(3), 8)).toEqual(sumOf([scaled(remainderOf(q, 2), 4)], 3));
  expect(quotientOf(element(3), 8)).toEqual(quotientOf(q, 2));
  expect(multipleOf(rotationOf(element(1), 61, 64), 4)).toMatchObject({ of: rotationOf(q, 15, 16), rest: 2 });
  expect(multipleOf(rotationOf(element(3), 61, 64), 4)).toMatchObject({ of: q, rest: 0 });
  expect(multipleOf(sumOf([q, element(1)]), 4)).toBeUndefined();
});
