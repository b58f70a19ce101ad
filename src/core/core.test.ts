import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrayOf, bytesPerElement, dtypeOf, dtypes, fitsF32, swapBytes } from "./dtype.ts";
import { CrinkleError, cancelled, fromPlainError, isCancelled } from "./errors.ts";
import { makeField } from "./field.ts";
import { digitsWithin, formatBytes, formatMilliseconds, formatNumber, formatWithin } from "./format.ts";
import {
  cellDims,
  dimensionality,
  type Grid,
  gridBounds,
  nodeCoordinates,
  validateGrid,
  valueCoordinates,
  valueCount,
} from "./grid.ts";
import { expectArraysClose } from "./testing/compare.ts";

const uniform: Grid = { kind: "uniform", dims: [4, 3, 1], origin: [1, -2, 5], spacing: [0.5, 2, 1] };
const rectilinear: Grid = {
  kind: "rectilinear",
  dims: [3, 2, 1],
  axes: [Float64Array.of(0, 1, 4), Float64Array.of(-1, 1), Float64Array.of(7)],
};

describe("dtypes", () => {
  test.each(dtypes)("%s names its array", (dtype) => {
    const array = new (arrayOf(dtype))(3);
    expect(dtypeOf(array)).toBe(dtype);
    expect(array.byteLength).toBe(3 * bytesPerElement(dtype));
  });

  test("f32 holds small integers and itself exactly", () => {
    expect(dtypes.filter(fitsF32)).toEqual(["i8", "u8", "i16", "u16", "f32"]);
  });

  test("swapping bytes twice gives them back, and DataView agrees, at any alignment", () => {
    const sample = fc.record({
      bytes: fc.uint8Array({ maxLength: 64 }),
      width: fc.constantFrom(1, 2, 4, 8),
      shift: fc.nat(3),
    });
    fc.assert(
      fc.property(sample, ({ bytes, width, shift }) => {
        const memory = new Uint8Array(shift + bytes.length);
        const view = memory.subarray(shift);
        view.set(bytes);
        swapBytes(view, width);
        for (let at = 0; at + width <= bytes.length; at += width) {
          expect([...view.subarray(at, at + width)]).toEqual([...bytes.subarray(at, at + width)].reverse());
        }
      }),
    );
  });
});

describe("grids", () => {
  test("count nodes and cells, a flat direction being one layer", () => {
    expect(cellDims(uniform)).toEqual([3, 2, 1]);
    expect(valueCount(uniform, "node")).toBe(12);
    expect(valueCount(uniform, "cell")).toBe(6);
    expect(dimensionality(uniform)).toBe(2);
  });

  test("know their coordinates and bounds", () => {
    expect([...valueCoordinates(uniform, "cell", 0)]).toEqual([1.25, 1.75, 2.25]);
    expect([...valueCoordinates(rectilinear, "cell", 0)]).toEqual([0.5, 2.5]);
    expect([...valueCoordinates(rectilinear, "cell", 2)]).toEqual([7]);
    expect(gridBounds(uniform)).toEqual([1, 2.5, -2, 2, 5, 5]);
    expect(gridBounds(rectilinear)).toEqual([0, 4, -1, 1, 7, 7]);
  });

  test("have the coordinates of the whole in a part of it, to the bit", () => {
    const whole: Grid = { kind: "uniform", dims: [2, 2, 40], origin: [0, 0, 1 / 3], spacing: [1, 1, 0.1] };
    const first = 7;
    const part: Grid = {
      ...whole,
      dims: [2, 2, 20],
      origin: [0, 0, 1 / 3 + first * 0.1],
      part: { first: [0, 0, first], dims: whole.dims, bounds: gridBounds(whole) },
    };
    expect(nodeCoordinates(part, 2)).toEqual(nodeCoordinates(whole, 2).subarray(first, first + 20));
  });

  test.each([
    ["no points", { ...uniform, dims: [0, 3, 1] }, "0 points along x"],
    ["a fraction of points", { ...uniform, dims: [4, 1.5, 1] }, "1.5 points along y"],
    ["no spacing", { ...uniform, spacing: [1, 0, 1] }, "spacing 0 along y"],
    ["a NaN origin", { ...uniform, origin: [0, 0, Number.NaN] }, "origin NaN"],
    ["missing coordinates", { ...rectilinear, dims: [4, 2, 1] }, "3 coordinates along x for 4 points"],
    [
      "coordinates that turn back",
      { ...rectilinear, axes: [Float64Array.of(0, 2, 1), ...rectilinear.axes.slice(1)] },
      "coordinate 1 at position 2 along x",
    ],
  ])("are refused with %s", (_, grid, sentence) => {
    expect(() => validateGrid(grid as unknown as Grid, "The grid")).toThrow(sentence);
  });

  test("fields must fill them", () => {
    expect(() => makeField(uniform, "p", "node", 3, new Float32Array(35))).toThrow(
      "“p” has 35 values where its grid needs 36",
    );
    expect(makeField(uniform, "p", "cell", 1, new Uint8Array(6)).dtype).toBe("u8");
  });
});

describe("errors", () => {
  test("carry the thing, the value and the way out across a boundary", () => {
    const span = { from: 1, to: 2, line: 1, column: 2 };
    const error = new CrinkleError({ tag: "UnknownName", problem: "No “q”.", remedy: "Use p.", span });
    expect(error.message).toBe("No “q”. Use p.");
    const back = fromPlainError(structuredClone(error.toPlain()));
    expect(back).toMatchObject({ tag: "UnknownName", message: error.message, span });
  });

  test("know a cancelled job from a failed one", () => {
    expect(isCancelled(cancelled("It"))).toBe(true);
    expect(isCancelled(new DOMException("", "AbortError"))).toBe(true);
    expect(isCancelled(new Error("no"))).toBe(false);
  });
});

test("numbers are written for reading", () => {
  expect(
    [0, 0.30000001, 1234567, -0.00001234, 12345, Number.NaN, -1 / 0].map((x) => formatNumber(x)),
  ).toEqual(["0", "0.3", "1.235e+6", "−1.234e-5", "12345", "NaN", "−∞"]);
  expect([12, 1536, 3 * 2 ** 30].map(formatBytes)).toEqual(["12\u00a0B", "1.5\u00a0KiB", "3.0\u00a0GiB"]);
  expect([0.0123, 12.34, 2345].map(formatMilliseconds)).toEqual([
    "12.3\u00a0µs",
    "12.3\u00a0ms",
    "2.35\u00a0s",
  ]);
});

test("numbers of a narrow range stay distinct, others stay short", () => {
  const written = (min: number, max: number, values: readonly number[]) =>
    values.map((value) => formatWithin(value, { min, max }));
  expect(written(101325, 101326, [101325, 101325.43, 101326])).toEqual(["101325", "101325.43", "101326"]);
  expect(written(-293.16, -293.15, [-293.16, -293.1512])).toEqual(["−293.16", "−293.1512"]);
  expect(written(0, 1e7, [1e7, 3.33333])).toEqual(["1e+7", "3.333"]);
  expect(written(101325.5, 101325.5, [101325.5])).toEqual(["101325.5"]);
  expect(written(Number.NaN, Number.NaN, [Number.NaN])).toEqual(["NaN"]);
  expect(digitsWithin({ min: 1, max: 1 + 1e-30 })).toBeLessThanOrEqual(15);
});

test("the array comparison says where, what was got and what was expected", () => {
  expect(() => expectArraysClose([1, 2, 9], [1, 2.5, 3], { absolute: 0.1 })).toThrow(
    /2 of 3 values differ[\s\S]*first \[1\] got 2, expected 2.5[\s\S]*worst \[2\] got 9, expected 3/,
  );
  expect(() => expectArraysClose([Number.NaN], [1])).toThrow("got NaN");
  expectArraysClose([Number.NaN, 1.05], [Number.NaN, 1], { relative: 0.06 });
});
