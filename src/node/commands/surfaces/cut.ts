import { usage } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { extract, planeOption, sphereOption, surfaceOptions, surfaceUsage } from "./extract.ts";

const options = {
  plane: { type: "string", help: "X,Y,Z,NX,NY,NZ: through X,Y,Z with the normal NX,NY,NZ" },
  sphere: { type: "string", help: "X,Y,Z,R: around X,Y,Z with the radius R" },
  ...surfaceOptions,
} as const;

/** Cuts a file's grid by a plane or a sphere. */
export const cutCommand: Command<typeof options> = {
  name: "cut",
  usage: `cut FILE (--plane X,Y,Z,NX,NY,NZ | --sphere X,Y,Z,R) ${surfaceUsage}`,
  summary: "Cuts the grid by a plane or a sphere, and prints the surface's size.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options }, terminal) {
    return extract(path, { shape: { kind: "cut", by: cutter(options) } }, options, terminal);
  },
};

function cutter({ plane, sphere }: { readonly plane?: string; readonly sphere?: string }) {
  if (plane !== undefined && sphere !== undefined)
    throw usage("Both --plane and --sphere are given.", "Give one of them.");
  if (plane !== undefined) return { kind: "plane", plane: planeOption("plane", plane) } as const;
  if (sphere === undefined) throw usage("The option --plane or --sphere is missing.");
  return sphereOption("sphere", sphere);
}
