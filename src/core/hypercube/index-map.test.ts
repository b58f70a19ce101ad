import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { expectArraysClose } from "../testing/compare.ts";
import { formulaOf, indexFormulaOf } from "./formula.ts";
import {
  composeMaps,
  effectiveIndex,
  type IndexMap,
  identityMap,
  invertedMap,
  isIdentityMap,
  isInvolution,
  sourceIndex,
} from "./index-map.ts";
import { valueAt } from "./linear-values.ts";
import { mapOf, type Operation } from "./operations.ts";
import { parseTransform } from "./parse-transform.ts";
import { countOf } from "./shape.ts";
import { counted, type PlainArray, transformed } from "./testing/reference.ts";
import { everyOperation, shapeAndOperations, smallShapes } from "./testing/shapes.ts";

function applied(map: IndexMap, { values }: PlainArray): number[] {
  const sourceOf = sourceIndex(map);
  return Array.from({ length: countOf(map.to) }, (_, index) => {
    const at = sourceOf(index);
    return at === undefined ? 0 : values[at];
  });
}

/** The same by the effective index. */
function appliedByIndex(map: IndexMap, { values }: PlainArray): number[] {
  const { index, conditions } = effectiveIndex(map);
  return Array.from({ length: countOf(map.to) }, (_, k) => {
    const isInside = conditions.every(({ of, first, end }) => {
      const value = valueAt(of, [k]);
      return value >= first && value < end;
    });
    return isInside ? values[valueAt(index, [k])] : 0;
  });
}

const all = (array: PlainArray, operations: readonly Operation[]): PlainArray =>
  operations.reduce(transformed, array);
const lengthsAfter = (lengths: readonly number[], operation: Operation) => mapOf(lengths, [operation]).to;
const parsed = (lengths: readonly number[], text: string) => mapOf(lengths, parseTransform(text));

const runs = isSweep ? 5000 : 25;

describe("index maps", () => {
  it.each(smallShapes)("are what plain loops make of every transform: %j", (...lengths) => {
    const array = counted(lengths);
    for (const operation of everyOperation(lengths)) {
      const map = mapOf(lengths, [operation]);
      const expected = transformed(array, operation);
      const what = JSON.stringify(operation);
      expect(map.to, what).toEqual(expected.lengths);
      expectArraysClose(applied(map, array), expected.values, {}, what);
      expectArraysClose(appliedByIndex(map, array), expected.values, {}, what);
    }
  });

  it("are what plain loops make of a sequence", () => {
    fc.assert(
      fc.property(shapeAndOperations(lengthsAfter), ({ lengths, operations }) => {
        const map = mapOf(lengths, operations);
        const expected = all(counted(lengths), operations);
        expect(map.to).toEqual(expected.lengths);
        expectArraysClose(applied(map, counted(lengths)), expected.values);
        expectArraysClose(appliedByIndex(map, counted(lengths)), expected.values);
      }),
      { numRuns: runs },
    );
  });

  it("compose to what the whole sequence makes", () => {
    fc.assert(
      fc.property(shapeAndOperations(lengthsAfter), fc.nat(), ({ lengths, operations }, at) => {
        const first = mapOf(lengths, operations.slice(0, at % operations.length));
        const second = mapOf(first.to, operations.slice(at % operations.length));
        const both = composeMaps(first, second);
        expect([both.from, both.to]).toEqual([lengths, second.to]);
        expectArraysClose(
          applied(both, counted(lengths)),
          applied(mapOf(lengths, operations), counted(lengths)),
        );
      }),
      { numRuns: runs },
    );
  });

  it("have inverses that undo them, unless they fill with zeros or leave elements out", () => {
    fc.assert(
      fc.property(shapeAndOperations(lengthsAfter), ({ lengths, operations }) => {
        const map = mapOf(lengths, operations);
        const back = invertedMap(map);
        const values = applied(map, counted(lengths));
        const isBijective =
          values.length === countOf(lengths) && new Set(values).size === values.length && !values.includes(0);
        // A crop and a pad may give a bijection of what is left that no simplification finds.
        if (back) expect(isBijective).toBe(true);
        if (!back) expect(operations.some(({ kind }) => /pad|crop|pshift|crinkle/.test(kind))).toBe(true);
        if (!back) return;
        expect([back.from, back.to]).toEqual([map.to, map.from]);
        expectArraysClose(applied(back, { lengths: map.to, values }), counted(lengths).values);
        expectArraysClose(applied(composeMaps(map, back), counted(lengths)), counted(lengths).values);
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ["flip(x) | flip(x)", "out[y, x] = in[y, x]"],
    ["shift(x, 3) | flip(y) | shift(x, -3) | flip(y)", "out[y, x] = in[y, x]"],
    ["shift(x, 3) | shift(x, 2)", "out[y, x] = in[y, (x − 5) mod 12]"],
    ["shift(x, -3)", "out[y, x] = in[y, (x + 3) mod 12]"],
    ["flip(x)", "out[y, x] = in[y, 11 − x]"],
    ["flip(x) | shift(x, 2) | flip(x)", "out[y, x] = in[y, (x + 2) mod 12]"],
    ["crinkle(x, 4)", "out[y, x] = in[y, 4·(x mod 3) + ⌊x / 3⌋]"],
    ["crinkle(x, 4) | uncrinkle(x, 4)", "out[y, x] = in[y, x]"],
    ["crinkle(x, 4) | crinkle(x, 3)", "out[y, x] = in[y, x]"],
    ["shift(y, 1) | crinkle(x, 2) | shift(y, -1)", "out[y, x] = in[y, 2·(x mod 6) + ⌊x / 6⌋]"],
    ["transpose(x, y)", "out[y, x] = in[x, y]"],
    ["shift(x, 1) | transpose(x, y) | shift(y, -1) | transpose(y, x)", "out[y, x] = in[y, x]"],
    ["pshift(x, 2)", "out[y, x] = in[y, x − 2] where 2 ≤ x, else 0"],
    ["pshift(x, 2) | pshift(x, -2)", "out[y, x] = in[y, x] where x < 10, else 0"],
    ["pad(x, 1, 2) | crop(x, 1, 2)", "out[y, x] = in[y, x]"],
    ["pad(y, 1, 0) | transpose(x, y) | crop(x, 1, 0)", "out[y, x] = in[x, y]"],
    ["crop(y, 0, 4) | pad(y, 0, 4)", "out[y, x] = in[y, x] where y < 4, else 0"],
    ["pshift(x, 99)", "out[y, x] = in[y, x] where never, else 0"],
    ["tile(3, 4) | untile()", "out[y, x] = in[y, x]"],
    [
      "crinkle(x, 5, pad)",
      "out[y, x] = in[y, 5·(x mod 3) + ⌊x / 3⌋] where 5·(x mod 3) + ⌊x / 3⌋ < 12, else 0",
    ],
    ["shift(x, 2) | crinkle(x, 2)", "out[y, x] = in[y, (2·(x mod 6) + ⌊x / 6⌋ − 2) mod 12]"],
  ])("are simplified: %s", (text, formula) => {
    expect(formulaOf(parsed([12, 8], text))).toBe(formula);
    expect(isIdentityMap(parsed([12, 8], text))).toBe(formula === "out[y, x] = in[y, x]");
  });

  it.each([
    ["shift(x, 1) | flip(x) | tile(4, 2)", ["moves", "digits"]],
    ["flip(x) | shift(x, 1) | tile(4, 2)", ["moves", "digits"]],
    ["transpose(x, y) | pshift(x, 3) | crinkle(x, 2)", ["moves", "digits"]],
    [
      "crop(y, 1, 1) | transpose(x, y) | pad(y, 0, 4) | tile(3, 4) | shift(0, 1)",
      ["moves", "digits", "moves"],
    ],
    ["crinkle(x, 4) | shift(x, 1) | crinkle(x, 3)", ["digits", "moves", "digits"]],
  ])("have as few steps as there can be: %s", (text, kinds) => {
    const map = parsed([12, 8], text);
    expect(map.steps.map(({ kind }) => kind)).toEqual(kinds);
    expectArraysClose(applied(map, counted([12, 8])), all(counted([12, 8]), parseTransform(text)).values);
  });

  it("have the effective k-index as a formula", () => {
    expect(indexFormulaOf(parsed([16, 4], "flip(y)"))).toBe("out[k] = in[48 + (k mod 16) − 16·⌊k / 16⌋]");
    expect(indexFormulaOf(parsed([16, 4], "flip(x, y)"))).toBe("out[k] = in[63 − k]");
    expect(indexFormulaOf(parsed([4, 4, 4], "shift(z, 1)"))).toBe(
      "out[k] = in[16·((⌊k / 16⌋ − 1) mod 4) + (k mod 16)]",
    );
    expect(indexFormulaOf(identityMap([5, 7, 9]))).toBe("out[k] = in[k]");
    expect(indexFormulaOf(parsed([2, 2, 2, 2], "flip(0)"))).toBe("out[k] = in[1 + 2·⌊k / 2⌋ − (k mod 2)]");
  });

  it("refuse another shape than the one before makes", () => {
    expect(() => composeMaps(identityMap([4, 2]), identityMap([2, 4]))).toThrow(
      "A map of [4,2] cannot follow one that makes [2,4].",
    );
  });

  it("tell which exchange elements in pairs", () => {
    const isOne = (lengths: readonly number[], text: string) => isInvolution(parsed(lengths, text));
    expect(
      ["flip(x, y)", "shift(x, 4)", "transpose(x, y)", "shift(x, 3) | flip(x)"].map((text) =>
        isOne([8, 8], text),
      ),
    ).toEqual([true, true, true, true]);
    expect(isOne([4, 4], "crinkle(x, 2)")).toBe(true);
    expect(["shift(x, 3)", "crinkle(x, 2)", "pshift(x, 8)"].map((text) => isOne([8, 8], text))).toEqual([
      false,
      false,
      false,
    ]);
    expect(isOne([8, 4], "transpose(x, y)")).toBe(false);
  });
});
