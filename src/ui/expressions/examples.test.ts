import { expect, test } from "vitest";
import { diagnose } from "../../lang/expression/editor/analyze.ts";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { examplesFor } from "./examples.ts";

const fields = [
  fieldOf("pressure", 1, rangeOf(0, 1)),
  fieldOf("my velocity", 3, rangeOf(0, 1)),
  fieldOf("stress", 9, rangeOf(0, 1)),
];

test.each(examplesFor(fields))("$title is right as it stands", ({ text }) => {
  expect(diagnose(text, { fields })).toEqual([]);
});

test("examples are of the fields that are there", () => {
  expect(examplesFor(fields.slice(0, 1)).every(({ text }) => text.includes("pressure"))).toBe(true);
  expect(examplesFor([])).toEqual([]);
});
