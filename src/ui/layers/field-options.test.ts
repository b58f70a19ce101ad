import { expect, test } from "vitest";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { fieldOptions } from "./field-options.ts";

const stored = [fieldOf("p", 1, rangeOf(0, 1)), fieldOf("v", 2, rangeOf(0, 1))];
const labels = (derived: typeof stored, current?: string) =>
  fieldOptions(stored, derived, current).map(({ group, items }) => [
    group,
    ...items.map(({ label }) => label),
  ]);

test("names that need quotes in an expression have none in the menu", () => {
  const fields = [fieldOf("X Velocity", 1, rangeOf(0, 1)), fieldOf("wall shear", 3, rangeOf(0, 1))];
  const [{ items }] = fieldOptions(fields, [], undefined);
  expect(items.slice(0, 3)).toEqual([
    { value: '"X Velocity"', label: "X Velocity" },
    { value: 'magnitude("wall shear")', label: "magnitude(wall shear)" },
    { value: '"wall shear"[0]', label: "wall shear[0]" },
  ]);
});

test("stored and derived fields are grouped; labels are expressions", () => {
  expect(labels([fieldOf("q", 1, rangeOf(0, 1))], "q")).toEqual([
    ["Fields", "p", "magnitude(v)", "v[0]", "v[1]"],
    ["Derived", "q"],
  ]);
});

test("a derived field hides a stored one of its name", () => {
  expect(labels([fieldOf("p", 1, rangeOf(0, 1))])).toEqual([
    ["Fields", "magnitude(v)", "v[0]", "v[1]"],
    ["Derived", "p"],
  ]);
});

test("an expression that is in use is in the menu", () => {
  expect(labels([], "p + 1").at(-1)).toEqual(["In use", "p + 1"]);
});
