import { operationsOf } from "../../core/rank-trace.ts";
import type { RankedNeighbors } from "../../embed/ranks.ts";
import { statisticsOf } from "../../engine/host-statistics.ts";
import { numberOption, positionsOption, usage } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device-option.ts";
import { loadJob } from "../ranked-calls.ts";
import { traceOption, writeTrace } from "../trace-file.ts";
import { neighborExtensions, neighborWriter } from "../write-neighbors.ts";
import { reportLoss, warningsTo, withRanks } from "./with-ranks.ts";

const options = {
  k: { type: "string", help: "How many neighbours to find for each point (8; with --radius, all within it)" },
  radius: { type: "string", help: "The largest distance of a neighbour" },
  at: {
    type: "string",
    help: "X,Y,Z: instead of each point, this position, or several, separated by semicolons",
  },
  ranks: { type: "string", help: "Ranks: this process, and others that it starts on this machine (1)" },
  device: deviceOption,
  trace: traceOption,
  out: {
    type: "string",
    help: "File for the pairs (.csv or .npy), or for the points with the number and density of their neighbours (.vtp)",
  },
} as const;

/** Neighbours that are asked for where nothing says how many. */
const usualNeighbors = 8;

/** Finds the neighbours of each point of a file. */
export const neighborsCommand: Command<typeof options> = {
  name: "neighbors",
  usage: `neighbors FILE [--at 'X,Y,Z; …'] [--k N] [--radius R] [--ranks N] [--device gpu|cpu|auto] [--trace FILE.json] [--out FILE${neighborExtensions.join("|")}]`,
  summary:
    "Finds the nearest points to each point of a file by one or several ranks, or to positions, and prints how far and how dense they are.",
  positionals: ["FILE"],
  options,
  async run({ positionals: [file], options: given }, terminal) {
    const device = wantedDevice(given.device);
    const radius = given.radius === undefined ? undefined : numberOption("radius", given.radius);
    const usual = radius === undefined ? usualNeighbors : undefined;
    const k = given.k === undefined ? usual : numberOption("k", given.k);
    if (given.at !== undefined) {
      const other = (["ranks", "trace"] as const).find((name) => given[name] !== undefined);
      if (other) throw usage(`Both --at and --${other} are given.`, "One process looks around positions.");
      const positions = positionsOption("at", given.at);
      const { findNeighborsAt } = await import("./neighbors-at.ts");
      return findNeighborsAt({ file, positions, hood: { k, radius }, out: given.out }, terminal);
    }
    const write = given.out === undefined ? undefined : neighborWriter(given.out, file);
    const opened = { load: loadJob.neighbors, device, file, given: given.ranks, usual: 1 };
    return withRanks(opened, terminal, async (ranks) => {
      const start = performance.now();
      const onLost = (lost: number) => reportLoss(lost, terminal);
      const found = await ranks.neighbors(file, { k, radius, onLost, onWarning: warningsTo(terminal) });
      if (!found) return undefined;
      const ms = performance.now() - start;
      for (const note of found.notes) terminal.err(note);
      await write?.(found);
      const { origin, ranks: reports, trace } = found;
      if (given.trace !== undefined) {
        const devices = reports.map(({ device }) => device);
        await writeTrace(given.trace, [trace], devices);
      }
      const operations = operationsOf([trace]);
      return { ...(await summarize(found)), data: origin, ms, operations, ranks: reports };
    });
  },
};

async function summarize({ points, dimensions, ids, distances, densities }: RankedNeighbors) {
  const rangeOf = async (values: Float32Array | Float64Array) => {
    const { min, max, mean, infinite } = await statisticsOf(values, 1);
    return { min, max, mean, infinite };
  };
  return {
    points,
    dimensions,
    neighbors: ids.length,
    distance: await rangeOf(distances),
    density: await rangeOf(densities),
  };
}
