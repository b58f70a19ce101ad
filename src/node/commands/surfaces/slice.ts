import { choiceOption, numberOption, required } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { extract, sliceAxes, surfaceOptions, surfaceUsage } from "./extract.ts";

const options = {
  axis: { type: "string", help: "x, y or z: the axis that the slice lies across" },
  position: { type: "string", help: "The slice's coordinate on that axis" },
  ...surfaceOptions,
} as const;

/** Interpolates the data of a file on a plane across an axis. */
export const sliceCommand: Command<typeof options> = {
  name: "slice",
  usage: `slice FILE --axis x|y|z --position P ${surfaceUsage}`,
  summary: "Interpolates the data on a plane across an axis, and prints the surface's size.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options }, terminal) {
    const axis = sliceAxes.indexOf(choiceOption("axis", required("axis", options.axis), sliceAxes));
    const position = numberOption("position", required("position", options.position));
    return extract(path, { shape: { kind: "slice", axis, position } }, options, terminal);
  },
};
