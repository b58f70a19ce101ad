import { expect, it } from "vitest";
import { drawFigure, type Figure, type Series } from "./chart.ts";

const linear: Series = {
  name: "a < b",
  color: "#123456",
  marker: "circle",
  points: [
    [1, 2],
    [10, 20],
    [100, 200],
  ],
};
const empty: Series = { name: "none", color: "#654321", marker: "square", points: [] };

const figure = (...panels: Series[][]): Figure => ({
  title: "Time & size",
  xLabel: "cells",
  yLabel: "ms",
  panels: panels.map((series, k) => ({ title: `panel ${k}`, series })),
});

const pointsOf = (svg: string): number[][][] =>
  [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, points]) =>
    points.split(" ").map((pair) => pair.split(",").map(Number)),
  );

it("draws what grows linearly as a straight line, in every panel at the same height", () => {
  const [left, right] = pointsOf(drawFigure(figure([linear], [linear, empty])));
  for (const points of [left, right]) {
    const [[x0, y0], [x1, y1], [x2, y2]] = points;
    expect(x1 - x0).toBeCloseTo(x2 - x1, 0);
    expect(y1 - y0).toBeCloseTo(y2 - y1, 0);
    expect(y2).toBeLessThan(y0);
  }
  expect(right[0][0]).toBeGreaterThan(left[2][0]);
  expect(right.map(([, y]) => y)).toEqual(left.map(([, y]) => y));
});

it("labels axes and curves, escapes text, and leaves out what has no points", () => {
  const svg = drawFigure(figure([linear, empty]));
  for (const label of ["a &lt; b", "Time &amp; size", ">10<", ">100<", ">cells<"])
    expect(svg).toContain(label);
  expect(svg).not.toContain("none<");
});

it("marks what was refused, where it would be or at the top", () => {
  const refused: Series = {
    ...linear,
    points: linear.points.slice(0, 2),
    refused: [
      [100, 200],
      [1000, undefined],
    ],
  };
  const svg = drawFigure({ ...figure([refused]), limit: { name: "allowed", y: 100 } });
  const crosses = [...svg.matchAll(/<path d="M-3\.5 -3\.5[^>]*translate\(([\d.]+) ([\d.]+)\)/g)].map(
    ([, x, y]) => [Number(x), Number(y)],
  );
  // One of them is the legend's.
  expect(crosses).toHaveLength(3);
  const [, [x0, y0], [x1, y1]] = crosses;
  expect(x1).toBeGreaterThan(x0);
  expect(y1).toBeLessThan(y0);
  expect(svg).toContain("refused");
  expect(svg).toContain(">allowed<");
});

it("refuses to draw nothing", () => {
  expect(() => drawFigure(figure([empty]))).toThrow("nothing to draw");
});

it("is read on white pages and on dark ones, and by those who do not see it", () => {
  const svg = drawFigure({ ...figure([linear]), description: "Grows & grows." });
  expect(svg).not.toContain("#fff");
  expect(svg).toContain("<title>Time &amp; size</title>\n<desc>Grows &amp; grows.</desc>");
  expect(drawFigure(figure([linear]))).toContain("<desc>ms by cells</desc>");
  const [, ink] = svg.match(/text \{[^}]*fill: #(\w{6})/) ?? [];
  const luminance = (color: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
      const value = Number.parseInt(color.slice(2 * k, 2 * k + 2), 16) / 255;
      return sum + weight * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }, 0);
  const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  for (const page of ["ffffff", "0d1117"])
    expect(contrast(luminance(ink), luminance(page)), page).toBeGreaterThan(4);
});

it("writes texts beside points, and at the ticks that are drawn", () => {
  const series: Series = { ...linear, labels: { side: "above", texts: ["", "half"] } };
  const xTicks = [
    [10, "ten"],
    [1000, "beyond"],
  ] as const;
  const svg = drawFigure({ ...figure([series]), xTicks });
  const [, height] = svg.match(/y="([\d.]+)"[^>]*>half</) ?? [];
  const points = pointsOf(svg)[0];
  expect(points[1][1] - Number(height)).toBeCloseTo(8, 0);
  expect(svg).toContain(">ten<");
  expect(svg).not.toContain("beyond");
});
