import type { Bounds, Triple } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import type { Plane } from "../../../core/layers.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { reverseFacets } from "../../../core/reverse-facets.ts";
import { sessionMeshArrays } from "../../../engine/mesh-arrays.ts";
import type { Session } from "../../../engine/session.ts";
import {
  fieldExpression,
  type SurfaceRequest,
  surfaceMesh,
  titleOfExpression,
} from "../../../engine/surface-mesh.ts";
import { numbersOption, required, usage } from "../../command-line/arguments.ts";
import type { Terminal } from "../../command-line/command.ts";
import { openSession } from "../../device.ts";
import { deviceOption, wantedDevice } from "../../device-option.ts";
import { expressionText } from "../../expression-text.ts";
import { readFile } from "../../read-file.ts";
import { meshExtensions, meshWriter } from "../../write-file.ts";
import { rawOptions, rawUsage, wantedRaw } from "../raw-options.ts";

/** The options of every command that extracts a surface. */
export const surfaceOptions = {
  "color-by": {
    type: "string",
    help: "Expression of a scalar to store, or show as a colour, per vertex",
  },
  clip: {
    type: "string",
    help: "X,Y,Z,NX,NY,NZ: keep the side of the plane through X,Y,Z that the normal NX,NY,NZ points to",
  },
  "all-fields": {
    type: "boolean",
    help: "With a .vtp file: all fields on the mesh, and the cell of each triangle",
  },
  "reverse-facets": {
    type: "boolean",
    help: "Facets and normals the other way: isosurfaces and planes face higher values, thresholds and spheres inwards",
  },
  device: deviceOption,
  out: { type: "string", help: `File for the mesh: ${meshExtensions.join(", ")}` },
  ...rawOptions,
} as const;

/** The options that choose a scalar. */
export const fieldOptions = {
  field: { type: "string", help: "Name of the scalar field" },
  expr: {
    type: "string",
    help: "Expression of the scalar, instead of --field; @FILE, or - for standard input",
  },
} as const;

export const surfaceUsage =
  "[--color-by 'EXPRESSION'] [--clip X,Y,Z,NX,NY,NZ] [--all-fields] [--reverse-facets] [--device gpu|cpu|auto] " +
  `[--out mesh${meshExtensions.join("|")}] ${rawUsage}`;

export type SurfaceOptions = {
  readonly [Name in keyof typeof surfaceOptions]?: (typeof surfaceOptions)[Name]["type"] extends "boolean"
    ? boolean
    : string;
};

/** What commands print of a mesh. */
export const sizeOf = (mesh: TriangleMesh, area: number, bounds: Bounds | undefined) => ({
  triangles: mesh.indices.length / 3,
  vertices: mesh.positions.length / 3,
  area,
  bounds: bounds ?? null,
});

/** A session with a file's data in it. Throws Usage, what readers throw, and NoWebGPU. */
export async function openFileSession(
  path: string,
  given: Pick<SurfaceOptions, "device" | keyof typeof rawOptions>,
  terminal: Terminal,
): Promise<Session> {
  const wanted = wantedDevice(given.device);
  const dataSet = await readFile(path, terminal, wantedRaw(given));
  const session = await openSession(wanted, terminal);
  await session.setDataSet(dataSet);
  return session;
}

/** Throws Usage where --all-fields is given for a file that does not hold them. */
export function checkAllFields({ "all-fields": withFields, out }: SurfaceOptions): void {
  if (withFields && !out?.toLowerCase().endsWith(".vtp"))
    throw usage("The option --all-fields is for .vtp files.", "Give --out a file named .vtp.");
}

/** Extracts a surface from a file, writes its mesh if requested, and reports its size. */
export async function extract(
  path: string,
  request: Pick<SurfaceRequest, "shape" | "soup">,
  given: SurfaceOptions,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const { "reverse-facets": isReversed } = given;
  const { "color-by": colorBy, clip, "all-fields": withFields, out } = given;
  checkAllFields(given);
  const plane = clip === undefined ? undefined : planeOption("clip", clip);
  const write = out === undefined ? undefined : meshWriter(out, colorBy && titleOfExpression(colorBy));
  const session = await openFileSession(path, given, terminal);

  const start = performance.now();
  const { mesh, area, bounds, notes } = await surfaceMesh(session, { ...request, colorBy, clip: plane });
  const ms = performance.now() - start;
  for (const note of notes) terminal.err(note);
  if (write) {
    const arrays = withFields ? await sessionMeshArrays(session, mesh, noJob) : undefined;
    await write(isReversed ? reverseFacets(mesh) : mesh, arrays);
  }
  return { ...sizeOf(mesh, area, bounds), device: session.device.summary.kind, ms };
}

/** The scalar that --field or --expr names. Throws Usage, BadFile. */
export async function scalarOption({
  field,
  expr,
}: {
  readonly field?: string;
  readonly expr?: string;
}): Promise<string> {
  if (field !== undefined && expr !== undefined)
    throw usage("Both --field and --expr are given.", "Give one of them.");
  if (expr !== undefined) return expressionText(expr);
  return fieldExpression(required("field", field, "--field or --expr"));
}

/** Throws Usage. */
export function planeOption(name: string, text: string): Plane {
  const [x, y, z, ...normal] = numbersOption(name, text, 6);
  return { origin: [x, y, z], normal: normal as [number, number, number] satisfies Triple };
}

/** A center and a radius. Throws Usage. */
export function sphereOption(name: string, text: string) {
  const [x, y, z, radius] = numbersOption(name, text, 4);
  if (!(radius > 0)) throw usage(`The option --${name} has the radius ${radius}.`, "Choose one above 0.");
  return { kind: "sphere", center: [x, y, z], radius } as const;
}

/** Throws Usage. */
export function rangeOption(name: string, text: string): readonly [low: number, high: number] {
  const [low, high] = numbersOption(name, text, 2);
  if (low > high)
    throw usage(`The option --${name} goes from ${low} to ${high}.`, "Give the lower number first.");
  return [low, high];
}

/** In the name of a file for each of several surfaces, where its number stands. */
export const valuePlace = "{value}";

/** What slices lie across. */
export const sliceAxes = ["x", "y", "z"] as const;
