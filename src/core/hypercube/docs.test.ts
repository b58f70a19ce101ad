import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { formulaOf } from "./formula.ts";
import { mapOf } from "./operations.ts";
import { parseTransform, transformUsages } from "./parse-transform.ts";

const page = readFileSync("docs/lattices.md", "utf8");

it("has the formulas that the page shows, and its operations", () => {
  const rows = [...page.matchAll(/^\| `([^`]+)` +\| `(out\[[^`]+)` +\|$/gm)];
  expect(rows.length).toBe(12);
  for (const [, text, formula] of rows) {
    expect(formulaOf(mapOf([12, 8], parseTransform(text.replaceAll("\\|", "|"))))).toBe(formula);
  }
  const named = new Set([...page.matchAll(/^\| `(\w+)\(.*?\)` /gm)].map(([, name]) => name));
  expect(
    transformUsages.map((usage) => usage.replace(/\(.*/, "")).filter((name) => !named.has(name)),
  ).toEqual([]);
});
