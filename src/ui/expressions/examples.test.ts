import { describe, expect, test } from "vitest";
import type { DataSetSummary } from "../../engine/api.ts";
import { diagnose } from "../../lang/expression/editor/analyze.ts";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { examplesFor } from "./examples.ts";

const fields = [
  fieldOf("pressure", 1, rangeOf(0, 1)),
  fieldOf("my velocity", 3, rangeOf(0, 1)),
  fieldOf("stress", 9, rangeOf(0, 1)),
];
const bounds = [0, 2, 1, 7, 0, 0] as const;
const grid = { bounds } as unknown as DataSetSummary["grid"];
const points = { bounds } as unknown as DataSetSummary["points"];
const onGrid = { fields, grid, points: undefined };
const parts = ["X Velocity", "Y Velocity", "Z Velocity"].map((name) => fieldOf(name, 1, rangeOf(0, 1)));

describe.each([
  ["a grid", onGrid],
  ["points", { fields, grid: undefined, points }],
  ["components", { fields: parts, grid, points: undefined }],
])("on %s", (_, dataSet) => {
  const names = dataSet.grid ? [] : [fieldOf("coords", 3, rangeOf(0, 1))];
  test.each(examplesFor(dataSet))("$title is right as it stands", ({ text }) => {
    expect(diagnose(text, { fields: [...dataSet.fields, ...names] })).toEqual([]);
  });
});

const titles = (dataSet: Parameters<typeof examplesFor>[0]) => examplesFor(dataSet).map(({ title }) => title);

test("examples are of what is there", () => {
  const ofPressure = examplesFor({ ...onGrid, fields: fields.slice(0, 1) });
  expect(ofPressure.every(({ text }) => text.includes("pressure"))).toBe(true);
  expect(titles({ ...onGrid, fields: [] })).toEqual([]);
  const [first] = examplesFor({ ...onGrid, fields: parts });
  expect(first.text).toBe('velocity = {"X Velocity", "Y Velocity", "Z Velocity"}\nq = q_criterion(velocity)');
});

test("a half is cut away at the middle of the data, along an axis that is not flat", () => {
  const half = (flat: Partial<Record<number, number>>) => {
    const at = bounds.map((bound, k) => flat[k] ?? bound) as unknown as typeof bounds;
    return examplesFor({ ...onGrid, grid: { bounds: at } as unknown as DataSetSummary["grid"] }).at(-1)?.text;
  };
  expect(half({})).toBe("half = if y > 4 then pressure else 0");
  expect(half({ 3: 1 })).toBe("half = if x > 1 then pressure else 0");
});

test("points have no examples that read neighbours in a grid", () => {
  expect(titles({ fields, grid: undefined, points })).toEqual([
    "Magnitude of a vector",
    "Trace of a tensor",
    "Magnitude of a tensor",
    "Deviatoric part of a tensor",
    "Highest 10 %, and a histogram",
    "Cut away one half",
  ]);
});
