import { drawFigure, type Marker } from "../evaluation/chart.ts";
import type { PathMeasurement } from "./traffic.ts";

const looks: readonly { readonly color: string; readonly marker: Marker }[] = [
  { color: "#1f77b4", marker: "circle" },
  { color: "#d62728", marker: "square" },
  { color: "#2ca02c", marker: "triangle" },
  { color: "#9467bd", marker: "diamond" },
  { color: "#ff7f0e", marker: "wedge" },
];

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

const units = ["B", "KiB", "MiB", "GiB"];
const sized = (bytes: number) => {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
};

/** One row a path: its round trip and its rate by the size of messages. All were measured with the same sizes. */
export function tableOf(measurements: readonly PathMeasurement[]): string {
  const sizes = measurements[0].rates.map(({ messageBytes }) => sized(messageBytes));
  const number = (value: number) => String(Number(value.toPrecision(3)));
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
    xLabel: "bytes a message",
    yLabel: "MB/s",
    panels: [{ title: "one way", series }],
  });
}
