import fc from "fast-check";
import { expect, it } from "vitest";
import { type Box, boxCount, boxDims, numberInBox } from "./box.ts";
import { isWithin, placeInBox, putValues, valuesIn } from "./box-values.ts";

const along = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3));
/** An outer box that need not begin at 0, and one in it, which may be empty. */
const boxes = fc.tuple(along, along, along, along).map(([first, before, inside, behind]): [Box, Box] => {
  const at = (...parts: readonly (readonly number[])[]) =>
    [0, 1, 2].map((axis) => parts.reduce((sum, part) => sum + part[axis], 0)) as [number, number, number];
  const inner = { first: at(first, before), end: at(first, before, inside) };
  return [{ first, end: at(first, before, inside, behind) }, inner];
});

it("takes a box's values out of those around it, and puts them back", () => {
  fc.assert(
    fc.property(boxes, fc.integer({ min: 1, max: 3 }), ([outer, inner], components) => {
      const data = Float64Array.from({ length: boxCount(outer) * components }, (_, i) => i);
      const values = valuesIn(data, outer, inner, components);
      const expected = Array.from({ length: boxCount(inner) }, (_, i) => {
        const element = numberInBox(outer, placeInBox(inner, i));
        return Array.from({ length: components }, (_, c) => element * components + c);
      });
      expect([...values]).toEqual(expected.flat());
      expect(isWithin(inner, outer)).toBe(true);
      const whole = new Float64Array(data.length).fill(-1);
      putValues(whole, outer, values, inner, components);
      const own = new Set(expected.flat());
      expect([...whole]).toEqual([...data].map((value) => (own.has(value) ? value : -1)));
    }),
  );
});

it("takes whole planes without copying them", () => {
  const data = new Float32Array(2 * 60);
  const outer: Box = { first: [1, 1, 1], end: [4, 5, 6] };
  expect(boxDims(outer)).toEqual([3, 4, 5]);
  const planes = valuesIn(data, outer, { ...outer, first: [1, 1, 3] }, 2);
  expect([planes.buffer, planes.byteOffset, planes.length]).toEqual([data.buffer, 4 * 2 * 24, 2 * 36]);
  const bigints = valuesIn(new BigInt64Array(60), outer, { first: [2, 2, 2], end: [3, 4, 4] }, 1);
  expect(bigints).toEqual(new BigInt64Array(4));
});
