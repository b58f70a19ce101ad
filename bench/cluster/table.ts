/** A row of a Markdown table. */
export const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** A Markdown table whose first column is text, the others numbers. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, k) => (k === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

/** Three significant digits. */
export const number = (value: number) => String(Number(value.toPrecision(3)));

const units = ["B", "KiB", "MiB", "GiB"];

export const sized = (bytes: number) => {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
};
