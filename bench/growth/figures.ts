import type { BenchRow } from "../../src/bench/case.ts";
import type { Figure, Marker, Series } from "../evaluation/chart.ts";

interface Curve {
  readonly name: string;
  /** Of the cases' names. */
  readonly cases: RegExp;
  readonly color: string;
  readonly marker: Marker;
}

interface Growth {
  /** Of the picture's file. */
  readonly file: string;
  readonly title: string;
  readonly xLabel: string;
  readonly curves: readonly Curve[];
}

const growths: readonly Growth[] = [
  {
    file: "isosurface-growth.svg",
    title: "Isosurface of the stored tangle",
    xLabel: "million nodes (64³ to 512³)",
    curves: [
      { name: "composed of primitives", cases: /^isosurface\/composed\//, color: "#d55e00", marker: "wedge" },
      { name: "fused, soup", cases: /^isosurface\/soup\/\d+$/, color: "#009e73", marker: "square" },
      { name: "fused, welded", cases: /^isosurface\/\d+$/, color: "#0072b2", marker: "circle" },
    ],
  },
  {
    file: "kd-tree-growth.svg",
    title: "KD-tree of random points in three dimensions",
    xLabel: "million points (2¹⁶ to 2²⁶)",
    curves: [
      { name: "build", cases: /^kd-tree\/build_\d+$/, color: "#0072b2", marker: "circle" },
      { name: "8 nearest of every point", cases: /^kd-tree\/knn8_\d+$/, color: "#009e73", marker: "square" },
    ],
  },
];

/** Milliseconds by size of the cases that have several, and the pictures' files. */
export function growthFigures(
  rows: readonly BenchRow[],
): readonly { readonly file: string; readonly figure: Figure }[] {
  return growths.map(({ file, title, xLabel, curves }) => {
    const series = curves.map(({ cases, ...look }): Series => {
      const own = rows.filter(({ name, verified }) => verified && cases.test(name));
      return { ...look, points: own.map(({ n, ms }) => [n / 1e6, ms] as const).sort(([a], [b]) => a - b) };
    });
    return { file, figure: { title, xLabel, yLabel: "milliseconds", panels: [{ title: "", series }] } };
  });
}
