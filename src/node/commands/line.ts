import { numberOption, numbersOption, required, usage } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { type Positions, sample, sampleOptions, sampleUsage } from "./sampling.ts";

/** Positions that are taken where nothing says how many. */
const usualSamples = 101;

const options = {
  from: { type: "string", help: "X,Y,Z: where the line begins" },
  to: { type: "string", help: "X,Y,Z: where it ends" },
  samples: { type: "string", help: `Evenly spaced positions, both ends included (${usualSamples})` },
  ...sampleOptions,
} as const;

/** Takes fields' values along a line. */
export const lineCommand: Command<typeof options> = {
  name: "line",
  usage: `line FILE --from X,Y,Z --to X,Y,Z [--samples N] ${sampleUsage}`,
  summary:
    "Takes the values of fields along a straight line, and prints or writes them with their distances.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options }, terminal) {
    const from = numbersOption("from", required("from", options.from), 3);
    const to = numbersOption("to", required("to", options.to), 3);
    const samples = numberOption("samples", options.samples ?? String(usualSamples));
    if (!Number.isInteger(samples) || samples < 2)
      throw usage(`The option --samples is ${samples}.`, "Give a whole number from 2 on.");
    return sample(path, options, () => along(from, to, samples), terminal);
  },
};

function along(from: readonly number[], to: readonly number[], samples: number): Positions {
  const length = Math.hypot(...from.map((c, axis) => to[axis] - c));
  const share = (i: number) => i / (samples - 1);
  const positions = Float64Array.from({ length: 3 * samples }, (_, i) => {
    const [t, axis] = [share(Math.floor(i / 3)), i % 3];
    return (1 - t) * from[axis] + t * to[axis];
  });
  const data = Float64Array.from({ length: samples }, (_, i) => share(i) * length);
  return { positions, columns: [{ name: "distance", components: 1, dtype: "f64", data }] };
}
