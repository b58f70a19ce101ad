import type { Figure, Marker, Series } from "./chart.ts";
import { expressions } from "./expressions.ts";
import { type Measurement, meanMs, type Way, ways } from "./measurement.ts";

interface Look {
  readonly name: string;
  readonly color: string;
  readonly marker: Marker;
  readonly dash?: string;
}

const looks: Readonly<Record<Way, Look>> = {
  fusion: { name: "fusion", color: "#0072b2", marker: "circle" },
  "hand-written": { name: "hand-written kernel", color: "#111", marker: "diamond", dash: "2 4" },
  staged: { name: "staged", color: "#009e73", marker: "square" },
  streamed: { name: "streamed", color: "#b0539a", marker: "triangle" },
  roundtrip: { name: "roundtrip", color: "#d55e00", marker: "wedge" },
  cpu: { name: "CPU", color: "#6b6b6b", marker: "square", dash: "6 4" },
};

export const nameOf = (way: Way): string => looks[way].name;

type Value = (measurement: Measurement) => number | undefined;

function panels(measurements: readonly Measurement[], shown: readonly Way[], value: Value, needed: Value) {
  return expressions.map(({ name }) => ({
    title: name[0].toUpperCase() + name.slice(1),
    series: shown.map((way): Series => {
      const own = measurements
        .filter((one) => one.expression === name && one.way === way)
        .sort((a, b) => a.cells - b.cells);
      const points = own.flatMap((one) => {
        const y = value(one);
        return y === undefined || one.runs.length === 0 ? [] : [[one.cells / 1e6, y] as const];
      });
      const refused = own
        .filter(({ refusal }) => refusal !== undefined)
        .map((one) => [one.cells / 1e6, needed(one)] as const);
      return { ...looks[way], points, refused };
    }),
  }));
}

const xLabel = "million cells (192 × 192 × n)";
const onGpu = ways.filter((way) => way !== "cpu");

/** Seed 001's Figure 5. */
export const timeFigure = (measurements: readonly Measurement[]): Figure => ({
  title: "Time with transfers",
  xLabel,
  yLabel: "seconds",
  panels: panels(
    measurements,
    ways,
    (one) => scaled(meanMs(one), 1e-3),
    () => undefined,
  ),
});

/** Seed 001's Figure 6. */
export function memoryFigure(measurements: readonly Measurement[], budget: number): Figure {
  const held: Value = ({ cost }) => scaled(cost?.peakBytes, 2 ** -30);
  return {
    title: "Most memory in arrays on the GPU",
    xLabel,
    yLabel: "GiB",
    panels: panels(measurements, onGpu, held, held),
    ...(Number.isFinite(budget) ? { limit: { name: "allowed", y: budget / 2 ** 30 } } : {}),
  };
}

const scaled = (value: number | undefined, factor: number): number | undefined =>
  value === undefined ? undefined : value * factor;
