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
  readonly xName: string;
  readonly yName: string;
  readonly lines: readonly ChartLine[];
  /** Values of x that are marked by a line with a text. */
  readonly marks?: readonly { readonly x: number; readonly text: string }[];
  /** Whether points are marked, which they are best where they are few. */
  readonly hasPoints?: boolean;
}

/** A row for each point of each line, with the columns line, x, y (by the title, where it has no name) and, where lines have them, the error of y. */
export function chartCsv({ title, xName, yName, lines }: ChartData): string {
  const hasErrors = lines.some(({ errors }) => errors !== undefined);
  const measured = yName || title;
  const head = ["line", xName, measured, ...(hasErrors ? [`error of ${measured}`] : [])];
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
