import { expect, it } from "vitest";
import type { ComparisonRow } from "../../engine/api.ts";
import { runOf } from "../testing/fake-engine.ts";
import { comparisonTable, countersOf, describeDifference, scalesOf } from "./counters.ts";

const error = { tag: "TooLarge", problem: "It would hold 2 GiB.", remedy: "Stream it." } as const;
const rows: readonly ComparisonRow[] = [
  { kind: "run", strategy: "fusion", run: runOf("fusion", { ms: 1.23456 }), difference: 0 },
  { kind: "refused", strategy: "staged", error },
  { kind: "run", strategy: "streamed", run: runOf("streamed", { ms: 5, peakBytes: 1024 }), difference: 6e-8 },
];

it("shows what moved in both directions, and the blocks if there are several", () => {
  const facts = new Map(countersOf(runOf("streamed", { blocks: 12 })));
  expect(facts.get("Strategy")).toBe("streamed, 12 blocks");
  expect(facts.get("Bytes moved")).toBe("4.0\u00a0KiB");
  expect(new Map(countersOf(runOf("fusion"))).get("Strategy")).toBe("fusion");
});

it("scales bars to the slowest and the largest", () => {
  expect(scalesOf(rows)).toEqual({ ms: 5, peakBytes: 4096 });
  expect(scalesOf([])).toEqual({ ms: 0, peakBytes: 0 });
});

it.each([
  [0, "the same"],
  [6.1e-8, "within 6e-8"],
  [Number.POSITIVE_INFINITY, "different"],
])("a difference of %s is called %s", (difference, words) => {
  expect(describeDifference(difference)).toBe(words);
});

it("writes a table whose lines have equally many cells", () => {
  const lines = comparisonTable(rows).trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  expect(new Set(lines.map((line) => line.split("|").length)).size).toBe(1);
  expect(lines[2]).toBe("| fusion | 1 | 1 | 1 | 3072 | 1024 | 4096 | 1.235 | the same |");
  expect(lines[3]).toMatch(/^\| staged \|.*\| It would hold 2 GiB\. \|$/);
});
