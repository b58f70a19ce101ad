import { required } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { extract, fieldOptions, rangeOption, scalarOption, surfaceOptions, surfaceUsage } from "./extract.ts";

const options = {
  range: { type: "string", help: "LOW,HIGH: keep the cells whose corners all lie in this closed range" },
  ...fieldOptions,
  ...surfaceOptions,
} as const;

/** Extracts the outer surface of a file's cells whose values lie in a range. */
export const thresholdCommand: Command<typeof options> = {
  name: "threshold",
  usage: `threshold FILE --range LOW,HIGH (--field NAME | --expr 'EXPRESSION') ${surfaceUsage}`,
  summary: "Keeps the cells whose values lie in a range, and prints the size of their outer surface.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options }, terminal) {
    const range = rangeOption("range", required("range", options.range));
    const shape = { kind: "threshold", field: await scalarOption(options), range } as const;
    return extract(path, { shape }, options, terminal);
  },
};
