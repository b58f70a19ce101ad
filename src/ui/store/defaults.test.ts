import { expect, test } from "vitest";
import type { FieldSummary } from "../../engine/api.ts";
import { diagnose } from "../../lang/expression/editor/analyze.ts";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import {
  defaultColorBy,
  defaultColorRange,
  defaultIsovalue,
  firstChoice,
  suggestedText,
} from "./defaults.ts";

test("the first isovalue lies in the middle, or in the long tail of a crowded range", () => {
  expect(defaultIsovalue(rangeOf(0, 10))).toBe(5);
  expect(defaultIsovalue(rangeOf(0, 100, 10))).toBe(24);
  expect(defaultIsovalue(rangeOf(0, 100, 90))).toBe(76);
  expect(defaultIsovalue({ min: -4, max: 2 })).toBe(-1);
  expect(defaultIsovalue(rangeOf(3, 3))).toBe(3);
  expect(defaultIsovalue(rangeOf(Number.NaN, Number.NaN))).toBeNaN();
});

test("the first isovalue has few digits, at any scale and offset", () => {
  expect(defaultIsovalue(rangeOf(0, 255, 13.1))).toBe(50);
  expect(defaultIsovalue(rangeOf(0, 1.7321e-9, 9e-10))).toBe(8.6e-10);
  expect(defaultIsovalue(rangeOf(55873, 1732050, 991000))).toBe(900000);
  expect(defaultIsovalue(rangeOf(-0.9997, 0.9998, 0))).toBe(0);
  expect(defaultIsovalue(rangeOf(101325.00006, 101325.00173, 101325.0009))).toBe(101325.0009);
  expect(defaultIsovalue(rangeOf(-105.2, -100.17, -103))).toBe(-102.7);
});

test("a comparison has its surface where it becomes true", () => {
  expect(defaultIsovalue(rangeOf(0, 1, 0.01), "pressure > 3")).toBe(0.5);
  expect(defaultIsovalue(rangeOf(0, 1, 0.01), "not (a == b)")).toBe(0.5);
  expect(defaultIsovalue(rangeOf(0, 1, 0.01), "normalized(pressure)")).toBe(0.16);
});

test("vortices are where Q is positive and λ₂ negative", () => {
  expect(defaultIsovalue(rangeOf(-10, 30, 0), "q_criterion(velocity)")).toBe(0.8);
  expect(defaultIsovalue(rangeOf(-30, 10, 0), "lambda2(velocity)")).toBe(-0.8);
  expect(defaultIsovalue(rangeOf(-10, -2), "q_criterion(velocity)")).toBe(-6);
});

test("a first surface takes a scalar that varies, else a vector's magnitude", () => {
  const constant = fieldOf("c", 1, rangeOf(1, 1));
  const vector = fieldOf("v", 3, rangeOf(0, 2));
  const scalar = fieldOf("s", 1, rangeOf(0, 2));
  expect(firstChoice([constant, vector, scalar])?.expression).toBe("s");
  expect(firstChoice([constant, vector])?.expression).toBe("magnitude(v)");
  expect(firstChoice([constant])).toBeUndefined();
  expect(defaultColorBy([constant, vector, scalar], "s")).toBe("magnitude(v)");
  expect(defaultColorBy([vector], "v")).toBeUndefined();
});

const gridOf = (fields: readonly FieldSummary[]) => ({ fields, points: undefined });

test("the suggested text fits the fields", () => {
  expect(suggestedText(gridOf([fieldOf("my v", 3, rangeOf(0, 1))]))).toBe('q = q_criterion("my v")');
  expect(suggestedText(gridOf([fieldOf("s", 1, rangeOf(0, 1))]))).toBe("steepness = magnitude(gradient(s))");
  expect(suggestedText(gridOf([]))).toBe("");
  const points = { count: 9, dimensions: 3, bounds: [0, 1, 0, 1, 0, 1] } as const;
  const fields = [fieldOf("T", 1, rangeOf(0, 1))];
  expect(suggestedText({ fields, points })).toBe("scaled = T / maximum(abs(T))");
});

test.each([
  ["my stress", 9, 't = trace("my stress")'],
  ["shear", 2, "m = magnitude(shear)"],
  ["moments", 7, "first = moments[0]"],
])("a file of %s alone has a text that is right as it stands", (name, components, text) => {
  const fields = [fieldOf(name, components, rangeOf(0, 1))];
  expect(suggestedText(gridOf(fields))).toBe(text);
  expect(diagnose(text, { fields })).toEqual([]);
});

test("a colour field of few large values takes its colours from the surface", () => {
  const fields = [fieldOf("v", 3, rangeOf(0, 22.7, 0.17)), fieldOf("T", 1, rangeOf(0, 1, 0.4))];
  expect(defaultColorRange(fields, "magnitude(v)")).toBe("surface");
  expect(defaultColorRange(fields, "T")).toBeUndefined();
  expect(defaultColorRange(fields, undefined)).toBeUndefined();
});
