import { expect, test } from "vitest";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { precisionNotes } from "./precision-notes.ts";

const exact = fieldOf("T", 1, rangeOf(0, 1));
const wide = (name: string, dtype: "f64" | "i32") => ({
  ...exact,
  name,
  dtype,
  precisionNote: `“${name}” is ${dtype}.`,
});

test("one note, however many fields lose digits", () => {
  expect(precisionNotes([exact])).toEqual([]);
  expect(precisionNotes([exact, wide("p", "f64")])).toEqual(["“p” is f64."]);
  expect(precisionNotes([wide("p", "f64"), wide("q", "f64"), exact, wide("n", "i32")])).toEqual([
    "3 fields are stored as f64, i32; the GPU computes with f32, about 7 significant digits.",
  ]);
});
