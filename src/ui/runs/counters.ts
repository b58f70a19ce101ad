import { formatBytes, formatCount, formatMilliseconds } from "../../core/format.ts";
import type { ComparisonRow, RunSummary } from "../../engine/api.ts";

/** A run's counters as text, in the order of the table. */
export function countersOf(run: RunSummary): (readonly [name: string, value: string])[] {
  return [
    ["Strategy", strategyWords(run)],
    ["Kernels", formatCount(run.kernels)],
    ["Uploads", formatCount(run.uploads)],
    ["Downloads", formatCount(run.downloads)],
    ["Bytes moved", formatBytes(movedBytes(run))],
    ["Peak bytes", formatBytes(run.peakBytes)],
    ["Time", formatMilliseconds(run.ms)],
  ];
}

function strategyWords({ strategy, blocks }: RunSummary): string {
  return blocks > 1 ? `${strategy}, ${formatCount(blocks)} blocks` : strategy;
}

export function movedBytes({ uploadedBytes, downloadedBytes }: RunSummary): number {
  return uploadedBytes + downloadedBytes;
}

/** Compares a strategy's values with those of the first one. */
export function describeDifference(difference: number): string {
  if (difference === 0) return "the same";
  if (!Number.isFinite(difference)) return "different";
  return `within ${difference.toExponential(0)}`;
}

/** The longest time and the largest peak, which define full bars. */
export function scalesOf(rows: readonly ComparisonRow[]): {
  readonly ms: number;
  readonly peakBytes: number;
} {
  const runs = rows.flatMap((row) => (row.kind === "run" ? [row.run] : []));
  return {
    ms: runs.reduce((max, run) => Math.max(max, run.ms), 0),
    peakBytes: runs.reduce((max, run) => Math.max(max, run.peakBytes), 0),
  };
}

const columns = [
  "strategy",
  "kernels",
  "uploads",
  "downloads",
  "bytes up",
  "bytes down",
  "peak bytes",
  "ms",
  "values",
];

/** A comparison as a Markdown table, in exact numbers. */
export function comparisonTable(rows: readonly ComparisonRow[]): string {
  const lines = rows.map((row) => {
    if (row.kind === "refused") return [row.strategy, ...columns.slice(2).map(() => ""), row.error.problem];
    const { run, difference } = row;
    return [
      strategyWords(run),
      run.kernels,
      run.uploads,
      run.downloads,
      run.uploadedBytes,
      run.downloadedBytes,
      run.peakBytes,
      Number(run.ms.toPrecision(4)),
      describeDifference(difference),
    ];
  });
  return [columns, columns.map((_, i) => (i === 0 || i === 8 ? "---" : "---:")), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("");
}
