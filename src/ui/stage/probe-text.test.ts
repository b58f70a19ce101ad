import { expect, test } from "vitest";
import type { ProbeReport } from "../../engine/api.ts";
import { describePosition, hoverFacts, pickFacts, pickText } from "./probe-text.ts";

const report: ProbeReport = {
  position: [0.5, 1, -2],
  layer: "a",
  triangle: 1234,
  cell: [1, 2, 3],
  isovalue: 0.25,
  values: [
    { name: "p", values: [1 / 3] },
    { name: "v", values: [3, 0, 4] },
  ],
};

const bounds = [0, 1, 0, 2, -4, 4] as const;

test("a hover shows position and values, a vector's magnitude beside its components", () => {
  expect(hoverFacts(report, bounds)).toEqual([
    ["at", "(0.5, 1, −2)"],
    ["p", "0.33333"],
    ["v", "{3, 0, 4}, |·|\u00a05"],
  ]);
});

test("positions far from the origin keep the digits that distinguish them", () => {
  const far = [456_789, 456_790, 5_000_000, 5_000_100, 1000, 1000.023] as const;
  expect(describePosition([456_789.4375, 5_000_050.123, 1000.0115], far)).toBe(
    "(456789.4375, 5000050.12, 1000.0115)",
  );
});

test("a pick shows layer, triangle, cell and isovalue, and is copied at full precision", () => {
  expect(pickFacts(report, "q", bounds).map(([name]) => name)).toEqual([
    "Layer",
    "Position",
    "Triangle",
    "Cell",
    "Isovalue",
    "p",
    "v",
  ]);
  expect(pickText(report, "q")).toBe(
    "layer\tq\nposition\t0.5\t1\t-2\ntriangle\t1234\ncell\t1\t2\t3\nisovalue\t0.25\np\t0.3333333333333333\nv\t3\t0\t4",
  );
});

test("the points nearest to one that was picked are a table", () => {
  const point = { index: 7, distance: 0, position: [1, 2, 3] as const, values: [{ name: "T", values: [9] }] };
  const picked = { ...report, triangle: undefined, cell: undefined, isovalue: undefined, values: [] };
  expect(
    pickText({ ...picked, nearest: [point] }, "Points")
      .split("\n")
      .slice(2),
  ).toEqual(["index\tdistance\tx\ty\tz\tT", "7\t0\t1\t2\t3\t9"]);
});
