import { drawFigure, type Marker } from "../evaluation/chart.ts";
import { number, row, sized } from "./table.ts";
import type { PathMeasurement } from "./traffic.ts";

const looks: readonly { readonly color: string; readonly marker: Marker }[] = [
  { color: "#1f77b4", marker: "circle" },
  { color: "#d62728", marker: "square" },
  { color: "#2ca02c", marker: "triangle" },
  { color: "#9467bd", marker: "diamond" },
  { color: "#ff7f0e", marker: "wedge" },
];

/**
 * One row per path: its round trip, and its rate by message size. All paths were measured with the same
 * sizes.
 */
export function tableOf(measurements: readonly PathMeasurement[]): string {
  const sizes = measurements[0].rates.map(({ messageBytes }) => sized(messageBytes));
  return [
    row(["path", "round trip, µs", ...sizes.map((size) => `${size}, MB/s`)]),
    row(["---", ...sizes.map(() => "---:"), "---:"]),
    ...measurements.map(({ name, roundTripMs, rates }) =>
      row([name, number(roundTripMs * 1e3), ...rates.map((one) => number(one.megabytesPerSecond))]),
    ),
  ].join("\n");
}

export function drawRates(measurements: readonly PathMeasurement[]): string {
  const series = measurements.map(({ name, rates }, k) => ({
    name,
    ...looks[k % looks.length],
    points: rates.map(({ messageBytes, megabytesPerSecond }) => [messageBytes, megabytesPerSecond] as const),
  }));
  return drawFigure({
    title: "Rates between two ranks",
    xLabel: "bytes per message",
    yLabel: "MB/s",
    panels: [{ title: "one way", series }],
  });
}
