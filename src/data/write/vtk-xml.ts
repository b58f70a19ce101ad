import type { TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { DataSet, Field } from "../../core/field.ts";
import { type Grid, nodeCoordinates } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import { AppendedData, type Compression, escapeXml } from "./vtk-appended.ts";

export interface WriteOptions {
  readonly compression?: Compression;
}

/** Writes .vti (appended raw data, 64-bit headers). Throws BadArgument for a rectilinear grid, which needs .vtr. */
export async function writeVti(
  dataSet: DataSet,
  job: JobContext,
  options: WriteOptions = {},
): Promise<Chunks> {
  const { grid } = dataSet;
  if (grid.kind !== "uniform") {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `“${dataSet.name}” has a rectilinear grid, which .vti files cannot hold.`,
      remedy: "Write a .vtr file.",
    });
  }
  const attributes = `Origin="${grid.origin.join(" ")}" Spacing="${grid.spacing.join(" ")}"`;
  return writeXml(dataSet, "ImageData", attributes, [], job, options);
}

/** Writes .vtr (appended raw data, 64-bit headers); a uniform grid's coordinates are written out. */
export async function writeVtr(
  dataSet: DataSet,
  job: JobContext,
  options: WriteOptions = {},
): Promise<Chunks> {
  const axes = ["x", "y", "z"].map((name, axis) => ({ name, array: nodeCoordinates(dataSet.grid, axis) }));
  return writeXml(dataSet, "RectilinearGrid", "", axes, job, options);
}

interface NamedArray {
  readonly name: string;
  readonly array: TypedArray;
}

async function writeXml(
  { grid, fields, name }: DataSet,
  kind: string,
  attributes: string,
  axes: readonly NamedArray[],
  job: JobContext,
  { compression = "none" }: WriteOptions,
): Promise<Chunks> {
  const appended = new AppendedData(compression, new Yielder(job, `Writing ${name}`), totalBytes(fields));
  const node = fields.filter((field) => field.centering === "node");
  const cell = fields.filter((field) => field.centering === "cell");
  const extent = extentOf(grid);
  const lines = [
    `<${kind} WholeExtent="${extent}" ${attributes}>`,
    `<Piece Extent="${extent}">`,
    ...(await section("PointData", node, appended)),
    ...(await section("CellData", cell, appended)),
  ];
  if (axes.length > 0) {
    lines.push("<Coordinates>");
    for (const { name, array } of axes) lines.push(await appended.array(name, "f64", 1, array));
    lines.push("</Coordinates>");
  }
  lines.push("</Piece>", `</${kind}>`);
  return appended.file(kind, lines);
}

async function section(element: string, fields: readonly Field[], appended: AppendedData): Promise<string[]> {
  const scalars = fields.find((field) => field.components === 1);
  const vectors = fields.find((field) => field.components === 3);
  const active =
    (scalars ? ` Scalars="${escapeXml(scalars.name)}"` : "") +
    (vectors ? ` Vectors="${escapeXml(vectors.name)}"` : "");
  const lines = [`<${element}${active}>`];
  for (const { name, dtype, components, data } of fields) {
    lines.push(await appended.array(name, dtype, components, data));
  }
  return [...lines, `</${element}>`];
}

function totalBytes(fields: readonly Field[]): number {
  return Math.max(
    1,
    fields.reduce((sum, { data }) => sum + data.byteLength, 0),
  );
}

function extentOf({ dims }: Grid): string {
  return dims.map((n) => `0 ${n - 1}`).join(" ");
}
