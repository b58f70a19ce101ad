import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { statistics } from "../../core/statistics.ts";
import type { Command } from "../command-line/command.ts";
import { readFile } from "../read-file.ts";

/** Tells a file's grid and fields. */
export const infoCommand: Command = {
  name: "info",
  usage: "info FILE",
  summary: "Tells the grid and the fields of a file, with each field's range and mean.",
  positionals: ["FILE"],
  options: {},
  async run({ positionals: [path] }, terminal) {
    const { grid, fields } = await readFile(path, terminal);
    return { grid: describeGrid(grid), fields: fields.map(describeField) };
  },
};

function describeGrid(grid: Grid) {
  const { kind, dims } = grid;
  if (kind === "uniform") return { kind, dims, origin: grid.origin, spacing: grid.spacing };
  return {
    kind,
    dims,
    origin: grid.axes.map((axis) => axis[0]),
    axes: grid.axes.map((axis) => [...axis]),
  };
}

function describeField({ name, components, centering, dtype, data }: Field) {
  const { min, max, mean, nan, infinite } = statistics(data, components);
  return { name, components, centering, dtype, min, max, mean, nan, infinite };
}
