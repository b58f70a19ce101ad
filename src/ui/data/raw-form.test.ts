import { expect, test } from "vitest";
import { compareSizes, describeNeed, dtypeLabels, formOf, type RawForm, readForm } from "./raw-form.ts";

const raw = {
  dims: [64, 32, 16],
  dtype: "u16",
  byteOrder: "big",
  components: 3,
  spacing: [1, 0.5, 2],
  origin: [0, -1.5, 3],
  headerBytes: 100,
} as const;

test("a description survives the form, with the bytes that it needs", () => {
  expect(readForm(formOf(raw))).toEqual({ raw, neededBytes: 100 + 64 * 32 * 16 * 3 * 2 });
});

test.each<[Partial<RawForm>, RegExp]>([
  [{ dims: ["64", "32", ""] }, /Points/],
  [{ dims: ["64", "0", "1"] }, /Points/],
  [{ dims: ["64", "1.5", "1"] }, /Points/],
  [{ components: "0" }, /Components/],
  [{ spacing: ["1", "0", "1"] }, /spacing/],
  [{ origin: ["a", "0", "1"] }, /origin/],
  [{ headerBytes: "-1" }, /header/],
])("%j is named as the problem", (change, problem) => {
  expect(readForm({ ...formOf(raw), ...change })).toEqual({ problem: expect.stringMatching(problem) });
});

test("needed bytes are said where the file's length is not known", () => {
  expect(describeNeed(2048)).toBe("2,048 bytes needed (2.0\u00a0KiB)");
});

test("needed and present bytes are compared in a sentence", () => {
  expect(compareSizes(2048, 2048)).toEqual({
    fits: true,
    sentence: "2,048 bytes needed (2.0\u00a0KiB), 2,048 present: an exact fit.",
  });
  expect(compareSizes(2048, 2000)).toMatchObject({
    fits: false,
    sentence: expect.stringContaining("48 are missing"),
  });
  expect(compareSizes(2000, 2048)).toMatchObject({
    fits: true,
    sentence: expect.stringContaining("48 at the end would not be read"),
  });
});

test("types are described in words", () => {
  expect(dtypeLabels).toHaveLength(10);
  expect(dtypeLabels).toContainEqual({ value: "u8", label: "u8: 8-bit unsigned" });
  expect(dtypeLabels).toContainEqual({ value: "f64", label: "f64: 64-bit float" });
});
