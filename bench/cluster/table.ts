/** A row of a Markdown table. */
export const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Three significant digits. */
export const number = (value: number) => String(Number(value.toPrecision(3)));

const units = ["B", "KiB", "MiB", "GiB"];

export const sized = (bytes: number) => {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
};
