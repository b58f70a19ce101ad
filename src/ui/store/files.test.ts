import { expect, test } from "vitest";
import { notOpened, sortFiles } from "./files.ts";

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

test("of several data sets one is opened, and the others are named", () => {
  const others = (...names: string[]) => sortFiles(named(...names))?.others.map(({ name }) => name);
  expect(others("step_1.vtk", "step_2.vtk", "step_3.vtk")).toEqual(["step_2.vtk", "step_3.vtk"]);
  expect(others("a.raw", "b.raw")).toEqual(["b.raw"]);
  expect(others("a.nhdr", "a.raw", "notes.pdf")).toEqual([]);
  expect(notOpened(named("b.vtk"))).toBe("One data set is open at a time: b.vtk was not opened.");
  expect(notOpened(named("b.vtk", "c.vtk"))).toMatch(/: b\.vtk and c\.vtk were not opened\.$/);
  expect(notOpened(named("b", "c", "d", "e"))).toMatch(/: b, c and 2 others were not opened\.$/);
});
