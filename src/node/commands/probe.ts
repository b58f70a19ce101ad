import { noJob } from "../../core/job.ts";
import { isPointSet } from "../../core/point-set.ts";
import { positionsOption, usage } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { readAnyFile } from "../read-file.ts";
import { type Positions, sample, sampleOptions, sampleUsage } from "./sampling.ts";

const options = {
  at: { type: "string", help: "X,Y,Z: where to take the values; several are separated by semicolons" },
  points: { type: "string", help: "A file of points where to take them, instead of --at" },
  ...sampleOptions,
} as const;

/** Takes fields' values at positions. */
export const probeCommand: Command<typeof options> = {
  name: "probe",
  usage: `probe FILE (--at 'X,Y,Z; …' | --points FILE) ${sampleUsage}`,
  summary: "Takes the values of fields at positions, interpolated between nodes, and prints or writes them.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [path], options }, terminal) {
    const { at, points } = options;
    if (at !== undefined && points !== undefined)
      throw usage("Both --at and --points are given.", "Give one of them.");
    if (at !== undefined) {
      const positions = positionsOption("at", at);
      return sample(path, options, () => ({ positions, columns: [] }), terminal);
    }
    if (points === undefined) throw usage("The option --at or --points is missing.");
    return sample(path, options, () => pointsIn(points, terminal), terminal);
  },
};

async function pointsIn(path: string, terminal: Terminal): Promise<Positions> {
  const points = await readAnyFile(path, terminal, noJob);
  if (isPointSet(points)) return points;
  throw usage(`“${points.name}” holds a grid, not points.`, "Give --points a .csv, .ply or .vtp file.");
}
