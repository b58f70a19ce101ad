import { open } from "node:fs/promises";
import { basename } from "node:path";
import { CrinkleError } from "../core/errors.ts";
import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import type { ScaleKind } from "../core/scale.ts";
import type { Chunks } from "../data/write/chunks.ts";
import { meshFormats, writeMesh } from "../data/write/mesh.ts";
import type { MeshArrays } from "../data/write/mesh-options.ts";
import { writeNpy } from "../data/write/npy.ts";
import { statisticsOf } from "../engine/host-statistics.ts";

/** The extensions of `fieldWriter`. */
export const fieldExtensions = [".vti", ".vtr", ".npy"] as const;

/**
 * A function that writes fields of one grid to `path`, in the format of its extension; to .npy the first one. Throws Usage for an
 * unknown extension.
 */
export function fieldWriter(path: string): (grid: Grid, fields: readonly Field[]) => Promise<void> {
  const extension = extensionOf(path, fieldExtensions);
  return async (grid, fields) => {
    if (extension === ".npy") await writeChunks(path, writeNpy(grid, fields[0]));
    else await writeDataSet(path, grid, fields);
  };
}

/** Writes fields of one grid to `path`, .vti or .vtr by its extension. Throws Usage, BadArgument. */
export async function writeDataSet(path: string, grid: Grid, fields: readonly Field[]): Promise<void> {
  const { writeVti, writeVtr } = await import("../data/write/vtk-xml.ts");
  const write = extensionOf(path, [".vti", ".vtr"]) === ".vti" ? writeVti : writeVtr;
  await writeChunks(path, await write({ name: basename(path), grid, fields, notes: [] }, noJob));
}

/** The extensions of `meshWriter`. */
export const meshExtensions = meshFormats.map((format) => `.${format}`);

/**
 * A function that writes a mesh to `path`, in the format of its extension. Scalars, named `scalarName`, become colours
 * on a scale over their range in formats that have them; other arrays are kept in formats that hold them. Throws Usage.
 */
export function meshWriter(
  path: string,
  scalarName?: string,
  scale?: ScaleKind,
): (mesh: TriangleMesh, arrays?: MeshArrays) => Promise<void> {
  const extension = extensionOf(path, meshExtensions);
  const format = meshFormats[meshExtensions.indexOf(extension)];
  return async (mesh, arrays) => {
    const color = mesh.scalars && (await colorsOf(mesh.scalars, scale));
    await writeChunks(path, await writeMesh(mesh, format, noJob, { scalarName, color, arrays }));
  };
}

async function colorsOf(scalars: Float32Array, scale?: ScaleKind) {
  const { vertexColors } = await import("../engine/vertex-colors.ts");
  return vertexColors(scalars, await statisticsOf(scalars, 1), scale);
}

/** A function that writes a picture to `path`, which must be named .png. Throws Usage. */
export function pictureWriter(path: string): (png: Blob) => Promise<void> {
  extensionOf(path, [".png"]);
  return async (png) => writeChunks(path, [new Uint8Array(await png.arrayBuffer())]);
}

/** The one of the known extensions that a path has. Throws Usage. */
export function extensionOf(path: string, known: readonly string[]): string {
  const extension = known.find((candidate) => path.toLowerCase().endsWith(candidate));
  if (extension) return extension;
  throw new CrinkleError({
    tag: "Usage",
    problem: `The format of “${path}” is unknown.`,
    remedy: `--out takes a file named ${known.join(", ")}.`,
  });
}

/** Throws BadArgument where the file cannot be written. */
export async function writeChunks(path: string, chunks: Chunks): Promise<void> {
  try {
    const file = await open(path, "w");
    try {
      for (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `“${path}” could not be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      remedy: "Choose a folder that exists and is writable.",
      cause,
    });
  }
}
