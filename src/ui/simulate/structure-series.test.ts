import { expect, test } from "vitest";
import { domainChart, noSeries, structureChart, withStructure } from "./structure-series.ts";

const at = (sweeps: number, domainSize = sweeps) => ({
  sweeps,
  structure: {
    wavenumbers: Float64Array.of(1, 2, 3),
    values: Float64Array.of(4, Number.NaN, 6),
    domainSize,
  },
});

test("charts leave out shells without wave vectors, and follow the sweeps", () => {
  const series = [at(2), at(5), at(5, 6)].reduce(withStructure, noSeries);
  expect(structureChart(series.latest!, "Spin").lines).toEqual([{ name: "S(k)", x: [1, 3], y: [4, 6] }]);
  expect(domainChart(series).lines[0]).toEqual({ name: "Domain size", x: [2, 5], y: [2, 6] });
  const another = withStructure(series, at(1));
  expect(another.sweeps).toEqual([1]);
});

test("the sizes of domains stay bounded, from the first sweep to the last", () => {
  let series = noSeries;
  for (let sweep = 1; sweep <= 5000; sweep++) series = withStructure(series, at(sweep));
  expect(series.sweeps.length).toBeLessThanOrEqual(1024);
  expect(series.sweeps.length).toBeGreaterThan(500);
  expect([series.sweeps[0], series.sweeps.at(-1)]).toEqual([1, 5000]);
  expect(series.sweeps).toEqual(series.sweeps.toSorted((a, b) => a - b));
});
