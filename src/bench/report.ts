import type { BenchRow, Measurement } from "./case.ts";

export function toRow(name: string, measured: Measurement, copyGbs: number): BenchRow {
  const { n, ms, bytes, verified, peak } = measured;
  const gbs = bytes / ms / 1e6;
  const row = { name, n, ms: round(ms), gbs: round(gbs), ratioToCopy: round(gbs / copyGbs), verified };
  return peak === undefined ? row : { ...row, peak };
}

/** Four significant digits: more would be noise. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

type Column = readonly [title: string, cell: (row: BenchRow) => string];

const columns: readonly Column[] = [
  ["name", (row) => row.name],
  ["n", (row) => row.n.toLocaleString("en-US")],
  ["ms", (row) => String(row.ms)],
  ["10⁹ n/s", (row) => (row.n / row.ms / 1e6).toPrecision(3)],
  ["GB/s", (row) => String(row.gbs)],
  ["of copy", (row) => `${Math.round(row.ratioToCopy * 100)} %`],
  ["verified", (row) => (row.verified ? "yes" : "NO")],
];

const peakColumn: Column = ["peak bytes/n", ({ peak, n }) => (peak ? (peak / n).toPrecision(3) : "")];

/** The rows as a Markdown table, columns aligned. */
export function formatTable(rows: readonly BenchRow[]): string {
  const shown = rows.some(({ peak }) => peak !== undefined) ? [...columns, peakColumn] : columns;
  const cells = [shown.map(([title]) => title), ...rows.map((row) => shown.map(([, cell]) => cell(row)))];
  const widths = shown.map((_, c) => Math.max(...cells.map((line) => line[c].length)));
  const format = (line: readonly string[]) =>
    `| ${line.map((text, c) => (c === 0 ? text.padEnd(widths[c]) : text.padStart(widths[c]))).join(" | ")} |`;
  const rule = `| ${widths.map((width, c) => (c === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [format(cells[0]), rule, ...cells.slice(1).map(format)].join("\n");
}
