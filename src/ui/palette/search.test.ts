import { expect, test } from "vitest";
import { findEntries, type PaletteEntry } from "./search.ts";
import { wordsOfKind, wordsOfName } from "./words.ts";

const entry = (
  group: PaletteEntry["group"],
  title: string,
  more: Partial<PaletteEntry> = {},
): PaletteEntry => ({
  group,
  title,
  run() {},
  ...more,
});

const entries = [
  entry("Commands", "Compute", { words: wordsOfName("Compute") }),
  entry("Commands", "Save picture", { words: wordsOfName("Save picture") }),
  entry("Layers", "Add isosurface", { words: wordsOfKind.isosurface }),
  entry("Layers", "Add plane cut", { words: wordsOfKind.plane }),
  entry("Fields", "magnitude(X Velocity)", { words: "variable" }),
  entry("Functions", "curl(v)", {
    doc: {
      signature: "curl(v)",
      summary: "The rotation of a vector.",
      example: "curl(v)",
      group: "Derivatives",
    },
  }),
];
const titles = (query: string) => findEntries(entries, query).map(({ title }) => title);

test("nothing asked for is everything, in its order", () => {
  expect(titles("  ")).toEqual(entries.map(({ title }) => title));
});

test("titles come before other programs' words, and these before what is said", () => {
  expect(titles("c")).toEqual([
    "Compute",
    "curl(v)",
    "Add plane cut",
    "Add isosurface",
    "Save picture",
    "magnitude(X Velocity)",
  ]);
  expect(titles("contour")).toEqual(["Add isosurface"]);
  expect(titles("clip")).toEqual(["Add plane cut"]);
  expect(titles("calculator")).toEqual(["Compute"]);
  expect(titles("screenshot")).toEqual(["Save picture"]);
  expect(titles("rotation")).toEqual(["curl(v)"]);
});

test("every word counts, in any order and case", () => {
  expect(titles("velocity MAG")).toEqual(["magnitude(X Velocity)"]);
  expect(titles("add clip")).toEqual(["Add plane cut"]);
  expect(titles("add rotation")).toEqual([]);
});
