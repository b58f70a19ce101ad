/** What a chart shows, apart from how. */
export interface ChartLine {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** One standard error of each y; NaN where it is unknown. */
  readonly errors?: ArrayLike<number>;
}

export interface ChartData {
  /** Begins sentences and names files: "Energy". */
  readonly title: string;
  /** What lies along the axes, with its unit if it has one: "Energy (J per site)". They head the columns of files, too. */
  readonly xName: string;
  readonly yName: string;
  readonly lines: readonly ChartLine[];
  /** A value of x that is marked by a line, and what it is. */
  readonly mark?: { readonly x: number; readonly text: string };
  /** Whether points are marked, which they are best where they are few. */
  readonly hasPoints?: boolean;
}

/** The name of what lies along an axis, with its unit. */
export const withUnit = (name: string, unit: string | undefined): string =>
  unit === undefined ? name : `${name} (${unit})`;

/** A row for each point of each line, with the columns line, x, y and, where lines have them, the error of y. */
export function chartCsv({ xName, yName, lines }: ChartData): string {
  const hasErrors = lines.some(({ errors }) => errors !== undefined);
  const head = ["line", xName, yName, ...(hasErrors ? [`error of ${yName}`] : [])];
  const rows = lines.flatMap(({ name, x, y, errors }) =>
    Array.from({ length: x.length }, (_, k) => [
      name,
      x[k],
      y[k],
      ...(hasErrors ? [errors && Number.isFinite(errors[k]) ? errors[k] : ""] : []),
    ]),
  );
  return `${[head, ...rows].map((row) => row.map(csvCell).join(",")).join("\n")}\n`;
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
