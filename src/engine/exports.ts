import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import type { NamedBlob } from "./api.ts";

/** A mesh as a file. `colors`: sRGB, three bytes a vertex, kept by PLY. */
export async function meshFile(
  mesh: TriangleMesh,
  format: "stl" | "ply",
  colors: Uint8Array | undefined,
  job: JobContext,
): Promise<Blob> {
  if (format === "stl") {
    const { writeStl } = await import("../data/write/stl.ts");
    return new Blob(await writeStl(mesh, job), { type: "model/stl" });
  }
  const { writePly } = await import("../data/write/ply.ts");
  const color =
    colors &&
    ((vertex: number, target: Uint8Array, at: number) =>
      target.set(colors.subarray(3 * vertex, 3 * vertex + 3), at));
  return new Blob(await writePly(mesh, job, { color }), { type: "application/octet-stream" });
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
