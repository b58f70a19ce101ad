import { mkdirSync, writeFileSync } from "node:fs";

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most that a hardware GPU may take; undefined where the figure is only reported. */
  readonly most?: number;
  /** The least that it must reach. */
  readonly least?: number;
}

const figures: Figure[] = [];

export function report(figure: Figure): void {
  figures.push(figure);
}

/** The figures that miss their bounds. */
export function outOfBounds(): Figure[] {
  return figures.filter(
    ({ value, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY }) =>
      !(value >= least && value <= most),
  );
}

/** Prints the figures as a table, and writes them as JSON. */
export function printReport(device: string): void {
  const rows = figures.map(({ name, value, unit, most, least }) => [
    name,
    `${Number(value.toPrecision(4))} ${unit}`,
    most !== undefined ? `≤ ${most} ${unit}` : least !== undefined ? `≥ ${least} ${unit}` : "",
  ]);
  const lines = [["figure", "measured", "bound on a GPU"], ...rows];
  const widths = [0, 1, 2].map((c) => Math.max(...lines.map((line) => line[c].length)));
  const table = lines.map((line) => `| ${line.map((text, c) => text.padEnd(widths[c])).join(" | ")} |`);
  table.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  console.log(`\n${device}\n${table.join("\n")}\n`);
  mkdirSync("test-results", { recursive: true });
  writeFileSync("test-results/perf.json", `${JSON.stringify({ device, figures }, null, 2)}\n`);
}
