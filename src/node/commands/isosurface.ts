import { CrinkleError } from "../../core/errors.ts";
import { unattended } from "../../core/job.ts";
import { fieldExpression, isosurfaceMesh, titleOfExpression } from "../../engine/isosurface.ts";
import { sessionMeshArrays } from "../../engine/mesh-arrays.ts";
import { numberOption } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { deviceOption, openSession, wantedDevice } from "../device.ts";
import { readFile } from "../read-file.ts";
import { meshExtensions, meshWriter } from "../write-file.ts";

const options = {
  value: { type: "string", help: "The isovalue" },
  field: { type: "string", help: "Name of the scalar field to contour" },
  expr: { type: "string", help: "Expression of the scalar to contour, instead of --field" },
  "color-by": {
    type: "string",
    help: "Expression of a scalar that is kept, or shown as a colour, per vertex",
  },
  topology: {
    type: "string",
    help: "table, or trilinear: in ambiguous cells that of the trilinear interpolant",
  },
  soup: {
    type: "string",
    help: "smooth, or flat: three vertices for each triangle, with such normals, instead of shared ones",
  },
  "all-fields": {
    type: "boolean",
    help: "With a .vtp file: all fields on the mesh, and the cell of each triangle",
  },
  device: deviceOption,
  out: { type: "string", help: `File for the mesh: ${meshExtensions.join(", ")}` },
} as const;

/** Extracts an isosurface from a file's field, or from one computed of them. */
export const isosurfaceCommand: Command<typeof options> = {
  name: "isosurface",
  usage:
    "isosurface FILE --value V (--field NAME | --expr 'EXPRESSION') [--color-by 'EXPRESSION'] " +
    `[--topology table|trilinear] [--soup smooth|flat] [--all-fields] [--device gpu|cpu|auto] ` +
    `[--out mesh${meshExtensions.join("|")}]`,
  summary: "Extracts an isosurface, and tells its size.",
  positionals: ["FILE"],
  options,
  async run(
    {
      positionals: [path],
      options: {
        value,
        field,
        expr,
        "color-by": colorBy,
        topology,
        soup,
        "all-fields": withFields,
        device,
        out,
      },
    },
    terminal,
  ) {
    const isovalue = numberOption("value", required("value", value));
    if (field !== undefined && expr !== undefined) {
      throw usage("Both --field and --expr are given.", "Give one of them.");
    }
    if (topology !== undefined && topology !== "table" && topology !== "trilinear")
      throw usage(`The option --topology is “${topology}”. It can be table, trilinear.`);
    if (soup !== undefined && soup !== "smooth" && soup !== "flat")
      throw usage(`The option --soup is “${soup}”. It can be smooth, flat.`);
    if (withFields && !out?.toLowerCase().endsWith(".vtp"))
      throw usage("The option --all-fields is for .vtp files.", "Give --out a file named .vtp.");
    const expression = expr ?? fieldExpression(required("field", field, "--field or --expr"));
    const write = out === undefined ? undefined : meshWriter(out, colorBy && titleOfExpression(colorBy));
    const wanted = wantedDevice(device);
    const dataSet = await readFile(path, terminal);
    const session = await openSession(wanted, terminal);
    await session.setDataSet(dataSet);

    const start = performance.now();
    const { mesh, area, bounds, notes } = await isosurfaceMesh(session, {
      field: expression,
      isovalue,
      colorBy,
      topology,
      soup,
    });
    const ms = performance.now() - start;
    for (const note of notes) terminal.err(note);
    if (write) await write(mesh, withFields ? await sessionMeshArrays(session, mesh, unattended) : undefined);
    return {
      triangles: mesh.indices.length / 3,
      vertices: mesh.positions.length / 3,
      area,
      bounds: bounds ?? null,
      device: session.device.summary.kind,
      ms,
    };
  },
};

function required(name: string, given: string | undefined, what = `--${name}`): string {
  if (given === undefined) throw usage(`The option ${what} is missing.`);
  return given;
}

function usage(problem: string, remedy = ""): CrinkleError {
  return new CrinkleError({ tag: "Usage", problem, remedy });
}
