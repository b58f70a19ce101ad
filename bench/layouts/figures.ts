/** Figures 11 to 13 of seed 002 of what the bench measured of squares: powers of two are its kernels B, other lengths A. */
import type { BenchRow } from "../../src/bench/case.ts";
import type { Figure, Panel, Series } from "../evaluation/chart.ts";

type Row = Pick<BenchRow, "name" | "n" | "ms" | "verified">;

const isPowerOfTwo = (side: number): boolean => Number.isInteger(Math.log2(side));

/** The two kinds of lengths, as the seed calls them. */
const kinds = [
  { name: "any lengths (A)", isKind: (side: number) => !isPowerOfTwo(side) },
  { name: "powers of two (B)", isKind: isPowerOfTwo },
] as const;

const transforms = [
  { name: "shift", label: "shift along x", color: "#0072b2", marker: "circle" },
  { name: "flip", label: "flip along x", color: "#009e73", marker: "square" },
  { name: "crinkle", label: "crinkle along x", color: "#d55e00", marker: "wedge" },
] as const;

/** Labels of both kinds of sides, few enough to be read. */
const sideTicks = [256, 1024, 4096, 16384].map((side) => [side, `${side}²`] as const);

/** Milliseconds by side of the cases whose whole names a pattern is, with the side as its group. */
function bySide(rows: readonly Row[], pattern: RegExp): ReadonlyMap<number, number> {
  const found = rows.flatMap(({ name, ms, verified }) => {
    const side = verified ? pattern.exec(name)?.[1] : undefined;
    return side ? [[Number(side), ms] as const] : [];
  });
  return new Map(found.sort(([a], [b]) => a - b));
}

const generated = (transform: string) => new RegExp(`^hypercube/${transform}_x/(\\d+)²$`);
const byHand = (transform: string) => new RegExp(`^hypercube/${transform}_x/(\\d+)² by hand$`);

/** Figure 11: how fast the generated kernels are beside those written by hand. */
export function relativeFigure(rows: readonly Row[]): Figure {
  const panels = kinds.map(
    ({ name, isKind }): Panel => ({
      title: name,
      series: transforms.map(({ name: transform, label, color, marker }): Series => {
        const hand = bySide(rows, byHand(transform));
        const points = [...bySide(rows, generated(transform))].flatMap(([side, ms]) => {
          const other = hand.get(side);
          return isKind(side) && other !== undefined ? [[side, other / ms] as const] : [];
        });
        return { name: label, color, marker, points };
      }),
    }),
  );
  return {
    title: "Speed of the generated kernels over that of kernels written by hand",
    xLabel: "square of elements",
    yLabel: "times as fast",
    xTicks: sideTicks,
    limit: { name: "by hand", y: 1 },
    panels,
  };
}

/** Figure 12: milliseconds of the kernels, and of the CPU. */
export function timesFigure(rows: readonly Row[]): Figure {
  const panels = transforms.map(({ name: transform, label }): Panel => {
    const own = [...bySide(rows, generated(transform))];
    const series = (
      name: string,
      color: string,
      marker: Series["marker"],
      points: Iterable<readonly [number, number]>,
    ) => ({
      name,
      color,
      marker,
      points: [...points],
    });
    return {
      title: label,
      series: [
        series(
          "any lengths (A)",
          "#d55e00",
          "wedge",
          own.filter(([side]) => kinds[0].isKind(side)),
        ),
        series(
          "powers of two (B)",
          "#0072b2",
          "circle",
          own.filter(([side]) => kinds[1].isKind(side)),
        ),
        series("by hand (C)", "#009e73", "square", bySide(rows, byHand(transform))),
        series(
          "one thread of a CPU (D)",
          "#8a6d00",
          "triangle",
          bySide(rows, new RegExp(`^hypercube/cpu/${transform}_x/(\\d+)²$`)),
        ),
      ],
    };
  });
  return {
    title: "Time of layout transforms",
    xLabel: "square of elements",
    yLabel: "milliseconds",
    xTicks: sideTicks,
    panels,
  };
}

/** Figure 13: sweeps of the Ising model. */
export function isingFigure(rows: readonly Row[]): Figure {
  const sweeps = [...bySide(rows, /^lattice\/ising\/(\d+)² T=2\.1$/)];
  const looks = [
    { color: "#d55e00", marker: "wedge" },
    { color: "#0072b2", marker: "circle" },
  ] as const;
  const series = kinds.map(
    ({ name, isKind }, k): Series => ({ name, ...looks[k], points: sweeps.filter(([side]) => isKind(side)) }),
  );
  const host: Series = {
    name: "one thread of a CPU (D)",
    color: "#8a6d00",
    marker: "triangle",
    points: [...bySide(rows, /^lattice\/cpu\/ising\/(\d+)² T=2\.1$/)],
  };
  return {
    title: "Time of a sweep of the Ising model",
    xLabel: "square of sites",
    yLabel: "milliseconds",
    xTicks: sideTicks,
    panels: [{ title: "two dimensions, T = 2.1", series: [...series, host] }],
  };
}
