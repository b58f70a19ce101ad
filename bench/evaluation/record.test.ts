import { expect, it } from "vitest";
import { expressions } from "./expressions.ts";
import type { Measurement } from "./measurement.ts";
import { type EvaluationRecord, figuresOf, fits, pageOf, withMeasurement } from "./record.ts";

const measurement = (way: Measurement["way"], cells: number, ms: number): Measurement => ({
  expression: expressions[0].name,
  way,
  cells,
  runs: [ms, ms, ms],
  cost: { uploads: 3, downloads: 1, kernels: 1, uploadedBytes: 0, downloadedBytes: 0, peakBytes: 4 * cells },
});

const record: EvaluationRecord = {
  machine: "a machine",
  date: "2026-01-01",
  edge: 192,
  runs: 3,
  budget: null,
  measurements: [measurement("fusion", 1e6, 10), measurement("fusion", 2e6, 20), measurement("cpu", 1e6, 30)],
  kernels: [],
};

it("goes on where machine, size and memory are the same", () => {
  expect(fits(record, { ...record, date: "2026-01-02", runs: 7 })).toBe(true);
  for (const change of [{ machine: "another" }, { edge: 24 }, { budget: 1 }])
    expect(fits(record, { ...record, ...change })).toBe(false);
});

it("replaces a measurement of the same, and keeps the others", () => {
  const { measurements } = withMeasurement(record, measurement("fusion", 1e6, 5));
  expect(measurements.map(({ way, cells, runs }) => [way, cells, runs[0]])).toEqual([
    ["fusion", 2e6, 20],
    ["cpu", 1e6, 30],
    ["fusion", 1e6, 5],
  ]);
});

it("makes a page with its figures, whatever the order of measuring", () => {
  const page = pageOf(record);
  expect(page).toContain("a machine, 2026-01-01.");
  expect(page).toContain("| 1,000,000 | 0.0100 | 0.0300 |");
  for (const name of figuresOf(record).keys()) expect(page).toContain(`images/${name}.svg`);
  expect(figuresOf(record).size).toBe(2);
  expect(figuresOf({ ...record, measurements: [] }).size).toBe(0);
  expect(pageOf({ ...record, measurements: [...record.measurements].reverse() })).toBe(page);
});
