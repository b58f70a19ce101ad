import type { TypedArray } from "../../core/dtype.ts";
import type { DataSet, Field } from "../../core/field.ts";
import { nodeCoordinates } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import { AppendedData, type Compression } from "./vtk-appended.ts";
import { activeArrays, extentOf, imageGeometry } from "./vtk-grid.ts";

export interface WriteOptions {
  readonly compression?: Compression;
}

/**
 * Writes .vti (appended raw data, 64-bit headers); of a part of a grid, the piece of the whole that it is. Throws
 * BadArgument for a rectilinear grid, which needs .vtr.
 */
export async function writeVti(
  dataSet: DataSet,
  job: JobContext,
  options: WriteOptions = {},
): Promise<Chunks> {
  return writeXml(dataSet, "ImageData", imageGeometry(dataSet, "vti"), [], job, options);
}

/**
 * Writes .vtr (appended raw data, 64-bit headers); a uniform grid's coordinates are written out. Of a part of a grid, it
 * writes the piece of the whole that it is.
 */
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
  const lines = [`<${element}${activeArrays(fields)}>`];
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
