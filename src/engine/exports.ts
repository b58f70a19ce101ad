import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import { joinMeshes } from "../core/join-meshes.ts";
import { withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import type { MeshFormat, NamedBlob } from "./api.ts";
import type { LayerMesh } from "./layers/layer-view.ts";

const mediaTypes: Record<MeshFormat, string> = {
  stl: "model/stl",
  ply: "application/octet-stream",
  obj: "model/obj",
  glb: "model/gltf-binary",
  vtp: "application/xml",
};

/** Layers' meshes together as one file. Colours and scalars are kept by formats that have them. */
export async function meshFile(
  layers: readonly LayerMesh[],
  format: MeshFormat,
  job: JobContext,
): Promise<Blob> {
  const { writeMesh } = await import("../data/write/mesh.ts");
  const colors = concatenated(layers.map((layer) => layer.colors));
  const names = new Set(layers.map(({ scalarName }) => scalarName));
  const [name] = names.size === 1 ? names : [];
  const chunks = await writeMesh(joinMeshes(layers.map(({ mesh }) => mesh)), format, job, {
    ...(name === undefined ? {} : { scalarName: withoutQuotes(name) }),
    color(vertex, target, at) {
      for (let c = 0; c < 3; c++) target[at + c] = colors[3 * vertex + c];
    },
  });
  return new Blob(chunks, { type: mediaTypes[format] });
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
