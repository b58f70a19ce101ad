import { numberOption, required, usage } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { extract, fieldOptions, scalarOption, surfaceOptions, surfaceUsage, valuePlace } from "./extract.ts";

const options = {
  value: { type: "string", help: "The isovalue, or several, separated by commas" },
  ...fieldOptions,
  topology: {
    type: "string",
    help: "table, or trilinear: ambiguous cells get the topology of the trilinear interpolant",
  },
  soup: {
    type: "string",
    help: "smooth or flat: three vertices per triangle with normals of this kind, instead of shared vertices",
  },
  ...surfaceOptions,
  out: {
    type: "string",
    help: `${surfaceOptions.out.help}; with ${valuePlace} in its name, a file for each isovalue`,
  },
} as const;

/** Extracts an isosurface from a file's field, or from a computed one. */
export const isosurfaceCommand: Command<typeof options> = {
  name: "isosurface",
  usage:
    "isosurface FILE --value V,… (--field NAME | --expr 'EXPRESSION') [--topology table|trilinear] " +
    `[--soup smooth|flat] ${surfaceUsage}`,
  summary: "Extracts one or several isosurfaces, and prints their sizes.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options }, terminal) {
    const { value, topology = "table", soup, clip } = options;
    const isovalues = required("value", value)
      .split(",")
      .map((each) => numberOption("value", each));
    if (topology !== "table" && topology !== "trilinear")
      throw usage(`The option --topology is “${topology}”. It can be table, trilinear.`);
    if (soup !== undefined && soup !== "smooth" && soup !== "flat")
      throw usage(`The option --soup is “${soup}”. It can be smooth, flat.`);
    if (soup !== undefined && clip !== undefined)
      throw usage("Both --soup and --clip are given.", "Give one of them.");
    const field = await scalarOption(options);
    const shape = { kind: "isosurface", field, isovalues, normals: "smooth", topology } as const;
    if (isovalues.length === 1 && !options.out?.includes(valuePlace))
      return extract(path, { shape, soup }, options, terminal);
    const { extractSeveral } = await import("./several-isosurfaces.ts");
    return extractSeveral(path, { shape, soup }, options, terminal);
  },
};
