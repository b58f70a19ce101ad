import { describe, expect, it } from "vitest";
import { type Measurement, trimmedMean } from "./measurement.ts";
import { countTable, kernelTable, memoryTables, timeTables } from "./tables.ts";

it("leaves the fastest and the slowest out of the mean where there are more than two", () => {
  expect(trimmedMean([9, 1, 2, 3, 4, 5, 100])).toBe((2 + 3 + 4 + 5 + 9) / 5);
  expect(trimmedMean([3, 1, 8])).toBe(3);
  expect(trimmedMean([2, 4])).toBe(3);
  expect(trimmedMean([])).toBeUndefined();
});

const cost = {
  uploads: 4,
  downloads: 1,
  kernels: 57,
  uploadedBytes: 0,
  downloadedBytes: 0,
  peakBytes: 3 * 2 ** 30,
};

const about = { expression: "Q-criterion" };
const measurements: readonly Measurement[] = [
  { ...about, way: "staged", cells: 1000, runs: [1000, 2000, 3000], cost },
  { ...about, way: "staged", cells: 2000, runs: [], cost, refusal: "too much" },
  { ...about, way: "roundtrip", cells: 1000, runs: [100000], cost },
  { ...about, way: "roundtrip", cells: 2000, runs: [], predictedMs: 200000 },
];

describe("the tables", () => {
  it("give seconds, fewer runs in brackets, and say what was refused or left out", () => {
    const text = timeTables(measurements, 3);
    expect(text).toContain("| 1,000 | 2.00 | 100 (1) |");
    expect(text).toContain("| 2,000 | needs 3.0\u00a0GiB | some 200, not run |");
  });

  it("give kernels, bytes and counts", () => {
    const kernels = { expression: "Q-criterion", cells: 1e6, fusion: 0.205, handWritten: 0.2, staged: 2 };
    expect(kernelTable([kernels])).toContain("| 1,000,000 | 0.205 | 0.200 | 2.5 % | 4.88 | 2.00 |");
    expect(memoryTables(measurements)).toContain("| 2,000 | (3.0\u00a0GiB) |  |");
    expect(countTable(measurements)).toContain("| Q-criterion | staged | 4 | 1 | 57 |");
  });
});
