import { noJob } from "../../../core/job.ts";
import { reverseFacets } from "../../../core/reverse-facets.ts";
import { clippedSolid } from "../../../engine/clipped-solid.ts";
import { sessionMeshArrays } from "../../../engine/mesh-arrays.ts";
import { titleOfExpression } from "../../../engine/surface-mesh.ts";
import { required } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { meshExtensions, meshWriter } from "../../write-file.ts";
import { rawUsage } from "../raw-options.ts";
import { checkAllFields, openFileSession, planeOption, sizeOf, surfaceOptions } from "./extract.ts";

const { clip: _, ...meshOptions } = surfaceOptions;

const options = {
  plane: {
    type: "string",
    help: "X,Y,Z,NX,NY,NZ: keep the side of the plane through X,Y,Z that the normal NX,NY,NZ points to",
  },
  ...meshOptions,
} as const;

/** Keeps what of a file's grid lies on one side of a plane. */
export const clipCommand: Command<typeof options> = {
  name: "clip",
  usage:
    "clip FILE --plane X,Y,Z,NX,NY,NZ [--color-by 'EXPRESSION'] [--all-fields] [--reverse-facets] [--device gpu|cpu|auto] " +
    `[--out mesh${meshExtensions.join("|")}] ${rawUsage}`,
  summary: "Keeps the grid on one side of a plane, and prints the size and the volume of its closed surface.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options: given }, terminal) {
    const { "color-by": colorBy, "all-fields": withFields, out } = given;
    checkAllFields(given);
    const plane = planeOption("plane", required("plane", given.plane));
    const write = out === undefined ? undefined : meshWriter(out, colorBy && titleOfExpression(colorBy));
    const session = await openFileSession(path, given, terminal);
    const start = performance.now();
    const { mesh, area, volume, bounds, notes } = await clippedSolid(session, plane, colorBy);
    const ms = performance.now() - start;
    for (const note of notes) terminal.err(note);
    if (write) {
      const arrays = withFields ? await sessionMeshArrays(session, mesh, noJob) : undefined;
      await write(given["reverse-facets"] ? reverseFacets(mesh) : mesh, arrays);
    }
    return { ...sizeOf(mesh, area, bounds), volume, device: session.device.summary.kind, ms };
  },
};
