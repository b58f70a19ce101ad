import { CrinkleError } from "../core/errors.ts";
import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import { joinMeshes } from "../core/join-meshes.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import type { PointSet } from "../core/point-set.ts";
import { reverseFacets as reversed } from "../core/reverse-facets.ts";
import type { MeshArrays } from "../data/write/mesh-options.ts";
import { withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import type { FieldFormat, MeshExportOptions, MeshFormat, NamedBlob } from "./api.ts";
import type { LayerMesh } from "./layers/layer-view.ts";
import type { LoadedData } from "./loaded-data.ts";
import type { Session } from "./session.ts";

const mediaTypes: Record<MeshFormat, string> = {
  stl: "model/stl",
  ply: "application/octet-stream",
  obj: "model/obj",
  glb: "model/gltf-binary",
  vtp: "application/xml",
};

/** Where a mesh's fields are: `elsewhere` gives the values of those that only other ranks have. */
export interface FieldsOfMesh {
  readonly session: Session;
  elsewhere(name: string): Promise<Field | undefined> | undefined;
}

/**
 * Writes layers' meshes as one file. Formats that hold colours and scalars keep them; flat-shaded meshes have separate
 * vertices and a normal for each triangle. Throws BadArgument where all fields are wanted in another format than .vtp.
 */
export async function meshFile(
  drawn: readonly LayerMesh[],
  format: MeshFormat,
  job: JobContext,
  { withFields = false, reverseFacets = false }: MeshExportOptions = {},
  fields?: FieldsOfMesh,
): Promise<Blob> {
  if (withFields && format !== "vtp") {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `A mesh with all fields cannot be written as ${format}.`,
      remedy: "Write VTP.",
    });
  }
  const { writeMesh } = await import("../data/write/mesh.ts");
  const layers = await Promise.all(drawn.map(shaded));
  const colors = concatenated(layers.map((layer) => layer.colors));
  const names = new Set(layers.map(({ scalarName }) => scalarName));
  const [name] = names.size === 1 ? names : [];
  const whole = joinMeshes(layers.map(({ mesh }) => mesh));
  // A triangle in a face is of the cell behind it, so that its arrays are taken before it is turned.
  const arrays = withFields && fields ? await arraysOf(whole, fields, job) : undefined;
  const chunks = await writeMesh(reverseFacets ? reversed(whole) : whole, format, job, {
    arrays,
    ...(name === undefined ? {} : { scalarName: withoutQuotes(name) }),
    color(vertex, target, at) {
      for (let c = 0; c < 3; c++) target[at + c] = colors[3 * vertex + c];
    },
  });
  return new Blob(chunks, { type: mediaTypes[format] });
}

async function arraysOf(
  mesh: TriangleMesh,
  { session, elsewhere }: FieldsOfMesh,
  job: JobContext,
): Promise<MeshArrays> {
  const { sessionMeshArrays } = await import("./mesh-arrays.ts");
  return sessionMeshArrays(session, mesh, job, elsewhere);
}

async function shaded(layer: LayerMesh): Promise<LayerMesh> {
  if (!layer.isFlat) return layer;
  const { flatMesh, ofCorners } = await import("../core/flat-mesh.ts");
  const { mesh, colors } = layer;
  return { ...layer, mesh: flatMesh(mesh), colors: ofCorners(colors, 3, mesh.indices) };
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

/**
 * Writes a point set as VTK XML or text, with its columns, and with the field if it is not a column; the file is named
 * after the set.
 */
export async function pointsFile(
  points: PointSet,
  field: Field,
  format: "vtk" | "csv",
  job: JobContext,
): Promise<NamedBlob> {
  const { writePointsCsv, writePointsVtp } = await import("../data/write/points.ts");
  const isColumn = points.columns.some(({ name }) => name === field.name);
  const all = isColumn ? points : { ...points, columns: [...points.columns, field] };
  const stem = stemOf(points.name.replace(/\.\w+$/, ""), "points");
  const chunks = await (format === "csv" ? writePointsCsv : writePointsVtp)(all, job);
  return { name: `${stem}${format === "csv" ? ".csv" : ".vtp"}`, blob: new Blob(chunks) };
}

function stemOf(name: string, instead: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, "_") || instead;
}

/** A field of what is open as a file: of points with their columns, or on its grid. */
export const loadedFieldFile = (
  { points, dataSet }: LoadedData,
  field: Field,
  format: FieldFormat,
  job: JobContext,
): Promise<NamedBlob> =>
  points && format !== "npy"
    ? pointsFile(points, field, format, job)
    : fieldFile(dataSet.grid, field, format, job);

/** Writes a field as VTK XML of its grid's kind, or as NumPy; the file is named after the field. */
export async function fieldFile(
  grid: Grid,
  field: Field,
  format: FieldFormat,
  job: JobContext,
): Promise<NamedBlob> {
  const stem = stemOf(field.name, "field");
  if (format === "csv") {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: "Only points are written as CSV.",
      remedy: "Write the field as VTK XML or NumPy.",
    });
  }
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
