import { expect, test } from "vitest";
import { sortFiles } from "./files.ts";

const named = (...names: string[]) => names.map((name) => new File([], name));

test("a header is opened with its data beside it", () => {
  const sorted = sortFiles(named("head.raw", "head.NHDR"));
  expect(sorted?.file.name).toBe("head.NHDR");
  expect(sorted?.companions.map(({ name }) => name)).toEqual(["head.raw"]);
  expect(sorted?.isRaw).toBe(false);
});

test("data without a header is raw, anything else is for the readers to judge", () => {
  expect(sortFiles(named("head_64x64x64_uint8.raw"))?.isRaw).toBe(true);
  expect(sortFiles(named("notes.txt"))).toMatchObject({ isRaw: false, companions: [] });
  expect(sortFiles([])).toBeUndefined();
});
