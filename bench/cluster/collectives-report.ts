import type { Curve } from "../../src/cluster/communicator/collectives/cost-model.ts";
import { drawFigure, type Marker } from "../evaluation/chart.ts";
import type { CollectiveMeasurement, Operation } from "./collectives.ts";
import { number, row, sized } from "./table.ts";

/** Milliseconds in which this many ranks joined a room, one value per trial. */
export interface JoinMeasurement {
  readonly path: string;
  readonly ranks: number;
  readonly ms: readonly number[];
}

const looks: Readonly<Record<string, { readonly color: string; readonly marker: Marker }>> = {
  tcp: { color: "#d62728", marker: "square" },
  port: { color: "#1f77b4", marker: "circle" },
};

const dashes: Readonly<Record<number, string | undefined>> = { 2: undefined, 4: "7 4", 8: "2 3" };

const keyOf = ({ operation, path, ranks }: CollectiveMeasurement) => `${operation}, ${path}, ${ranks} ranks`;

const chosenMs = ({ ms, chosen }: CollectiveMeasurement) => ms[chosen];

/** Megabytes of a rank's data per second. */
const rateOf = (one: CollectiveMeasurement) => one.bytes / chosenMs(one) / 1e3;

/** One row per operation, path and number of ranks: milliseconds by the size of a rank's data, and the rate. */
export function tableOfTimes(measurements: readonly CollectiveMeasurement[]): string {
  return table(measurements, (one) => `${number(chosenMs(one))} (${number(rateOf(one))})`);
}

/** The algorithm that the model chooses and its time relative to the best, with the best if that is another. */
export function tableOfChoices(measurements: readonly CollectiveMeasurement[]): string {
  return table(measurements, (one) => {
    const [best, least] = Object.entries(one.ms).reduce((a, b) => (b[1] < a[1] ? b : a));
    const ratio = (chosenMs(one) / least).toFixed(2);
    return best === one.chosen ? best : `${one.chosen} ${ratio} (${best})`;
  });
}

function table(
  measurements: readonly CollectiveMeasurement[],
  cell: (one: CollectiveMeasurement) => string,
): string {
  const sizes = [...new Set(measurements.map(({ bytes }) => bytes))];
  const keys = [...new Set(measurements.map(keyOf))];
  return [
    row(["", ...sizes.map(sized)]),
    row(["---", ...sizes.map(() => "---:")]),
    ...keys.map((key) => {
      const own = measurements.filter((one) => keyOf(one) === key);
      const cells = sizes
        .map((size) => own.find(({ bytes }) => bytes === size))
        .map((one) => (one ? cell(one) : ""));
      return row([key, ...cells]);
    }),
  ].join("\n");
}

/**
 * The measurements that each path's ranks made first: a message of 8 bytes, and the rate from there to the
 * longest, in MB/s.
 */
export function tableOfFigures(measurements: readonly CollectiveMeasurement[]): string {
  const namesOf = ({ path, ranks }: CollectiveMeasurement) => `${path}, ${ranks} ranks`;
  const names = [...new Set(measurements.map(namesOf))];
  const cells = (curve: Curve) => {
    const [[fromBytes, fromMs], [toBytes, toMs]] = [curve[0], curve[curve.length - 1]];
    return [number(fromMs * 1e3), toMs > fromMs ? number((toBytes - fromBytes) / (toMs - fromMs) / 1e3) : ""];
  };
  return [
    row(["", "alone, µs", "MB/s", "all at once, µs", "MB/s", "longest", "combining, MB/s"]),
    row(["---", "---:", "---:", "---:", "---:", "---:", "---:"]),
    ...names.flatMap((name) => {
      const figures = measurements.find((one) => namesOf(one) === name)?.tuning.costModel;
      if (!figures) return [];
      const { alone, together, combining } = figures;
      const longest = sized(alone[alone.length - 1][0]);
      return [row([name, ...cells(alone), ...cells(together), longest, number(1e-3 / combining)])];
    }),
  ].join("\n");
}

export function tableOfJoins(joins: readonly JoinMeasurement[]): string {
  return [
    row(["joining", "median, ms", "least", "most"]),
    row(["---", "---:", "---:", "---:"]),
    ...joins.map(({ path, ranks, ms }) => {
      const sorted = ms.toSorted((a, b) => a - b);
      const [least, median, most] = [0, sorted.length >> 1, sorted.length - 1].map((k) => number(sorted[k]));
      return row([`${ranks} ranks, ${path}`, median, least, most]);
    }),
  ].join("\n");
}

/** Rates by size, for the algorithms that the model chooses. */
export function drawCollectives(
  measurements: readonly CollectiveMeasurement[],
  drawn: readonly Operation[],
): string {
  const panels = drawn.map((operation) => {
    const own = measurements.filter((one) => one.operation === operation);
    const keys = [...new Set(own.map(keyOf))];
    const series = keys.map((key) => {
      const line = own.filter((one) => keyOf(one) === key);
      const [{ path, ranks }] = line;
      return {
        name: `${path}, ${ranks} ranks`,
        ...looks[path],
        dash: dashes[ranks],
        points: line.map((one) => [one.bytes, rateOf(one)] as const),
      };
    });
    return { title: operation === "alltoall" ? "alltoallv" : operation, series };
  });
  return drawFigure({
    title: "Collectives by the size of a rank's data",
    xLabel: "bytes",
    yLabel: "MB/s a rank",
    panels,
  });
}
