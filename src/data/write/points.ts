import type { TypedArray } from "../../core/dtype.ts";
import type { JobContext } from "../../core/job.ts";
import type { PointColumn, PointSet } from "../../core/point-set.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import { textOfF32 } from "./number-text.ts";
import { AppendedData, escapeXml } from "./vtk-appended.ts";

const rowsPerChunk = 1 << 13;

/**
 * Writes points as text: a line of names, then x, y, z and the columns of each point separated by commas, with enough
 * digits to identify the numbers. Columns of several components are written as name:0, name:1 and so on.
 */
export async function writePointsCsv(
  { name, positions, columns }: PointSet,
  job: JobContext,
): Promise<Chunks> {
  const yielder = new Yielder(job, `Writing ${name}`);
  const encoder = new TextEncoder();
  const all: readonly Pick<PointColumn, "components" | "data">[] = [
    { components: 3, data: positions },
    ...columns,
  ];
  const chunks: Chunks = [encoder.encode(`${["x", "y", "z", ...columns.flatMap(titlesOf)].join(",")}\n`)];
  const count = positions.length / 3;
  for (let from = 0; from < count; from += rowsPerChunk) {
    if (yielder.isDue()) await yielder.yield(from / count);
    let text = "";
    for (let row = from; row < Math.min(from + rowsPerChunk, count); row++) {
      let separator = "";
      for (const { components, data } of all) {
        for (let c = 0; c < components; c++) {
          text += separator + textOf(data, row * components + c);
          separator = ",";
        }
      }
      text += "\n";
    }
    chunks.push(encoder.encode(text));
  }
  return chunks;
}

function titlesOf({ name, components }: PointColumn): string[] {
  const titles = components === 1 ? [name] : Array.from({ length: components }, (_, c) => `${name}:${c}`);
  return titles.map((title) =>
    /[",\n\r]|^[#\s]|\s$/.test(title) ? `"${title.replaceAll('"', '""')}"` : title,
  );
}

function textOf(data: TypedArray, at: number): string {
  const value = data[at];
  if (typeof value === "number" && !Number.isFinite(value))
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return data instanceof Float32Array ? textOfF32(data[at]) : String(value);
}

/** Writes points as .vtp (PolyData, appended zlib blocks), in double precision, each column in its type. */
export async function writePointsVtp(
  { name, positions, columns }: PointSet,
  job: JobContext,
): Promise<Chunks> {
  const count = positions.length / 3;
  const bytes = columns.reduce((sum, { data }) => sum + data.byteLength, positions.byteLength + 4 * count);
  const appended = new AppendedData("zlib", new Yielder(job, `Writing ${name}`), bytes + 1);
  const active = columns.find(({ components }) => components === 1);
  const lines = [
    "<PolyData>",
    `<Piece NumberOfPoints="${count}" NumberOfVerts="1" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">`,
    `<PointData${active ? ` Scalars="${escapeXml(active.name)}"` : ""}>`,
  ];
  for (const column of columns)
    lines.push(await appended.array(column.name, column.dtype, column.components, column.data));
  const corners = new Uint32Array(count);
  for (let i = 0; i < count; i++) corners[i] = i;
  lines.push(
    "</PointData>",
    "<Points>",
    await appended.array("Points", "f64", 3, positions),
    "</Points>",
    "<Verts>",
    await appended.array("connectivity", "u32", 1, corners),
    await appended.array("offsets", "u32", 1, Uint32Array.of(count)),
    "</Verts>",
    "</Piece>",
    "</PolyData>",
  );
  return appended.file("PolyData", lines);
}
