import { expect, it } from "vitest";
import { drawChart } from "./chart.ts";

const chart = {
  title: "Time & size",
  xLabel: "cells",
  yLabel: "ms",
  series: [
    {
      name: "a < b",
      color: "#123456",
      points: [
        [1e6, 2],
        [1e7, 20],
        [1e8, 200],
      ] as const,
    },
    { name: "none", color: "#654321", points: [] },
  ],
};

it("draws what grows linearly as a straight line", () => {
  const svg = drawChart(chart);
  const points =
    /points="([^"]+)"/
      .exec(svg)?.[1]
      .split(" ")
      .map((pair) => pair.split(",").map(Number)) ?? [];
  expect(points).toHaveLength(3);
  const [[x0, y0], [x1, y1], [x2, y2]] = points;
  expect(x1 - x0).toBeCloseTo(x2 - x1, 0);
  expect(y1 - y0).toBeCloseTo(y2 - y1, 0);
  expect(y2).toBeLessThan(y0);
});

it("labels decades and curves, escapes text, and leaves out what has no points", () => {
  const svg = drawChart(chart);
  for (const label of ["10⁶", "10⁸", ">1<", ">1000<", "a &lt; b", "Time &amp; size"])
    expect(svg).toContain(label);
  expect(svg).not.toContain("none<");
});

it("refuses to draw nothing", () => {
  expect(() => drawChart({ ...chart, series: [chart.series[1]] })).toThrow("nothing to draw");
});
