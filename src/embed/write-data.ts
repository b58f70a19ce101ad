import { noJob } from "../core/job.ts";
import type { Chunks } from "../data/write/chunks.ts";
import * as mesh from "../data/write/mesh.ts";
import type { TriangleMesh } from "./api.ts";
import type { FileBytes, GridFormat, MeshFileFormat, WriteMeshOptions, WrittenGrid } from "./data-api.ts";
import { hostFieldsOf, readFields } from "./read-fields.ts";
import { readGrid } from "./read-grid.ts";
import { badArgument, requireChoice } from "./refusal.ts";

/**
 * A file of fields of one grid, in the types of their arrays. Rejects with BadArgument for a rectilinear grid in .vti, and
 * for .npy unless there is one field; with Cancelled.
 */
export async function writeGrid(
  { name = "data", grid: input, fields: inputs }: WrittenGrid,
  format: GridFormat,
  { signal = noJob.signal }: { readonly signal?: AbortSignal } = {},
): Promise<FileBytes> {
  requireChoice(format, "The format", ["vti", "vtr", "npy"]);
  const grid = readGrid(input);
  const fields = hostFieldsOf(grid, readFields(inputs));
  if (format === "npy") {
    if (fields.length !== 1) {
      throw badArgument(
        `A .npy file was asked for of ${fields.length} fields.`,
        "Give it one, or write .vti.",
      );
    }
    const { writeNpy } = await import("../data/write/npy.ts");
    return joined(writeNpy(grid, fields[0]));
  }
  const { writeVti, writeVtr } = await import("../data/write/vtk-xml.ts");
  const write = format === "vti" ? writeVti : writeVtr;
  return joined(await write({ name, grid, fields, notes: [] }, { ...noJob, signal }));
}

/** A file of a mesh; what a format cannot hold is left out. Rejects with BadArgument, TooLarge, Cancelled. */
export async function writeMesh(
  triangles: TriangleMesh,
  format: MeshFileFormat,
  { scalarName, signal = noJob.signal }: WriteMeshOptions = {},
): Promise<FileBytes> {
  requireChoice(format, "The format", mesh.meshFormats);
  return joined(await mesh.writeMesh(triangles, format, { ...noJob, signal }, { scalarName }));
}

function joined(chunks: Chunks): FileBytes {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
