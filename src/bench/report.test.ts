import { expect, it } from "vitest";
import { formatTable, toRow } from "./report.ts";

it("a row holds rates of the bytes that the work needs, and their share of the copy's", () => {
  const row = toRow("a/b", { n: 1000, ms: 0.5, bytes: 4e6, verified: true }, 32);
  expect(row).toEqual({ name: "a/b", n: 1000, ms: 0.5, gbs: 8, ratioToCopy: 0.25, verified: true });
});

it("a table marks what was wrong", () => {
  const lines = formatTable([
    { name: "copy", n: 16777216, ms: 0.2, gbs: 2500, ratioToCopy: 1, verified: true },
    { name: "x", n: 8, ms: 1, gbs: 1, ratioToCopy: 0.01, verified: false },
  ]).split("\n");
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines[2]).toContain("16,777,216");
  expect(lines[2]).toMatch(/100 % \| +yes \|$/);
  expect(lines[3]).toMatch(/1 % \| +NO \|$/);
});
