import { formatBytes } from "../../src/core/format.ts";
import { expressions } from "./expressions.ts";
import { nameOf } from "./figures.ts";
import type { KernelMeasurement } from "./kernels.ts";
import { type Measurement, meanMs, type Way, ways } from "./measurement.ts";

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, k) => (k === 0 ? ":--" : "--:"))), ...rows.map(row)].join("\n");

const significant = (value: number, digits = 3): string =>
  value.toLocaleString("en", { maximumSignificantDigits: digits, minimumSignificantDigits: digits });

/** Milliseconds in seconds, with the runs where they were fewer, and why there are none. */
function time(one: Measurement | undefined, runs: number): string {
  if (!one) return "";
  const ms = meanMs(one);
  if (ms !== undefined) {
    return one.runs.length < runs ? `${significant(ms / 1000)} (${one.runs.length})` : significant(ms / 1000);
  }
  if (one.predictedMs !== undefined) return `some ${significant(one.predictedMs / 1000, 2)}, not run`;
  return one.cost ? `needs ${formatBytes(one.cost.peakBytes)}` : "refused";
}

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1);

function pivot(
  measurements: readonly Measurement[],
  shown: readonly Way[],
  cell: (one: Measurement | undefined) => string,
): string {
  const used = shown.filter((way) => measurements.some((one) => one.way === way && cell(one) !== ""));
  const cells = [...new Set(measurements.map((one) => one.cells))].sort((a, b) => a - b);
  return expressions
    .map(({ name }) => {
      const rows = cells.map((count) => [
        count.toLocaleString("en"),
        ...used.map((way) =>
          cell(measurements.find((one) => one.expression === name && one.way === way && one.cells === count)),
        ),
      ]);
      return table([`${capitalized(name)}, cells`, ...used.map(nameOf)], rows);
    })
    .join("\n\n");
}

/** Seconds with transfers, as in Figure 5; `runs` is what there should be. */
export const timeTables = (measurements: readonly Measurement[], runs: number): string =>
  pivot(measurements, ways, (one) => time(one, runs));

/** Milliseconds of kernels, and how much fusion takes beyond what a hand-written kernel does. */
export const kernelTable = (measurements: readonly KernelMeasurement[]): string =>
  table(
    ["expression", "cells", "fusion", "by hand", "more", "10⁹ cells/s, fused", "staged"],
    measurements.map(({ expression, cells, fusion, handWritten, staged }) => [
      expression,
      cells.toLocaleString("en"),
      significant(fusion),
      significant(handWritten),
      `${(100 * (fusion / handWritten - 1)).toFixed(1)} %`,
      significant(cells / fusion / 1e6),
      significant(staged),
    ]),
  );

/** The most bytes on the GPU, as in Figure 6, in brackets where they were refused. */
export const memoryTables = (measurements: readonly Measurement[]): string =>
  pivot(measurements, ways, (one) => {
    if (!one?.cost) return "";
    const bytes = formatBytes(one.cost.peakBytes);
    return one.refusal === undefined ? bytes : `(${bytes})`;
  });

/** Table II: what one run moves, which is the same on every grid but for blocks that are streamed. */
export function countTable(measurements: readonly Measurement[]): string {
  const rows = expressions.flatMap(({ name }) =>
    ways.flatMap((way) => {
      const one = measurements.find(
        (candidate) => candidate.expression === name && candidate.way === way && candidate.cost,
      );
      if (!one?.cost || way === "streamed") return [];
      const { uploads, downloads, kernels } = one.cost;
      return [[name, nameOf(way), uploads, downloads, kernels]];
    }),
  );
  return table(["expression", "way", "sent", "back", "kernels"], rows);
}
