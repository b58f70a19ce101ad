import { CrinkleError } from "../core/errors.ts";
import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import { joinMeshes } from "../core/mesh.ts";
import type { MeshFormat, NamedBlob } from "./api.ts";
import type { PaintedMesh } from "./layers/layer-view.ts";

/** Painted meshes together as one file. Colours are kept by formats that have them. */
export async function meshFile(
  painted: readonly PaintedMesh[],
  format: MeshFormat,
  job: JobContext,
): Promise<Blob> {
  const mesh = joinMeshes(painted.map(({ mesh }) => mesh));
  const colors = concatenated(painted.map((part) => part.colors));
  switch (format) {
    case "stl": {
      const { writeStl } = await import("../data/write/stl.ts");
      return new Blob(await writeStl(mesh, job), { type: "model/stl" });
    }
    case "ply": {
      const { writePly } = await import("../data/write/ply.ts");
      const color = (vertex: number, target: Uint8Array, at: number) =>
        target.set(colors.subarray(3 * vertex, 3 * vertex + 3), at);
      return new Blob(await writePly(mesh, job, { color }), { type: "application/octet-stream" });
    }
    default:
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `Meshes are not written as ${format}.`,
        remedy: "Choose stl or ply.",
      });
  }
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A field as VTK XML of its grid's kind, or as NumPy; named after the field. */
export async function fieldFile(
  grid: Grid,
  field: Field,
  format: "vtk" | "npy",
  job: JobContext,
): Promise<NamedBlob> {
  const stem = field.name.replace(/[^\p{L}\p{N}_.-]+/gu, "_") || "field";
  if (format === "npy") {
    const { writeNpy } = await import("../data/write/npy.ts");
    return { name: `${stem}.npy`, blob: new Blob(writeNpy(grid, field)) };
  }
  const { writeVti, writeVtr } = await import("../data/write/vtk-xml.ts");
  const isUniform = grid.kind === "uniform";
  const dataSet = { name: field.name, grid, fields: [field], notes: [] };
  const chunks = await (isUniform ? writeVti : writeVtr)(dataSet, job, { compression: "zlib" });
  return { name: `${stem}${isUniform ? ".vti" : ".vtr"}`, blob: new Blob(chunks) };
}
