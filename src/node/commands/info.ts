import type { TypedArray } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { isPointSet, type PointSet, pointBounds } from "../../core/point-set.ts";
import { statisticsOf } from "../../engine/host-statistics.ts";
import type { Command } from "../command-line/command.ts";
import { readAnyFile } from "../read-file.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { summarizeStatistics } from "./summaries.ts";

/** Prints a file's grid and fields, or its points and columns. */
export const infoCommand: Command<typeof rawOptions> = {
  name: "info",
  usage: `info FILE ${rawUsage}`,
  summary:
    "Prints the grid and the fields of a file, or its points and columns, with the range and mean of each.",
  positionals: ["FILE"],
  options: rawOptions,
  async run({ positionals: [path], options }, terminal) {
    const data = await readAnyFile(path, terminal, noJob, wantedRaw(options));
    if (isPointSet(data)) return describePoints(data);
    return { grid: describeGrid(data.grid), fields: await Promise.all(data.fields.map(describeField)) };
  },
};

async function describePoints(points: PointSet) {
  const { dimensions, positions, columns } = points;
  return {
    points: { count: positions.length / 3, dimensions, bounds: pointBounds(points) },
    columns: await Promise.all(
      columns.map(async ({ name, components, dtype, data }) => ({
        name,
        components,
        dtype,
        ...(await numbersOf(data, components)),
      })),
    ),
  };
}

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

async function describeField({ name, components, centering, dtype, data }: Field) {
  return { name, components, centering, dtype, ...(await numbersOf(data, components)) };
}

async function numbersOf(data: TypedArray, components: number) {
  return summarizeStatistics(await statisticsOf(data, components));
}
