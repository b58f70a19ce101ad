import { latticeModels, modelNamed } from "../../core/lattice/models.ts";
import type { Simulated } from "../../embed/lattice-api.ts";
import { numberOption, required, usage } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device-option.ts";
import { extensionOf } from "../write-file.ts";
import { siteExtensions, sitePieces, writeSites } from "../write-sites.ts";
import { ownRanks } from "./own-ranks.ts";
import { lengthsOf, parametersGiven } from "./simulate-options.ts";
import { reportLoss, withRanks } from "./with-ranks.ts";

const options = {
  size: { type: "string", help: "The lattice's lengths along x, y, …, 1 to 10 of them: 256x256" },
  sweeps: { type: "string", help: "How often every site is updated" },
  sizes: { type: "string", help: "Instead of --size, with --vary: several sizes, separated by commas" },
  vary: {
    type: "string",
    help: "Runs a parameter's values one after the other: name=FROM:TO:STEP, or name=VALUE:VALUE",
  },
  seed: { type: "string", help: "A whole number: the same seed gives the same states everywhere (1)" },
  temperature: { type: "string", help: "Short for --set temperature=…" },
  set: { type: "string", help: "Parameters: name=value, several separated by commas" },
  start: {
    type: "string",
    help: "The first state: ordered, random, spot or separated (the model's usual one)",
  },
  discard: { type: "string", help: "Sweeps at the beginning that are not measured (a fifth)" },
  structure: {
    type: "string",
    help: "Sweeps after each of which the structure factor and the size of domains are taken (never)",
  },
  ranks: {
    type: "string",
    help: "Ranks that have layers of the lattice each, or with --vary runs: this process, and others that it starts on this machine (1)",
  },
  device: deviceOption,
  json: { type: "boolean", help: "One JSON object on standard output (the default)" },
  out: {
    type: "string",
    help: "File for the last state: .vti of up to three axes, or .npy with the first field; .pvti for a .vti of each rank",
  },
} as const;

export type SimulateOptions = typeof options;

const names = latticeModels.map(({ name }) => name).join(", ");

/** Runs a model on a lattice, and measures it. */
export const simulateCommand: Command<typeof options> = {
  name: "simulate",
  usage:
    "simulate MODEL --size NXxNYx… [--sizes …] --sweeps N [--vary NAME=FROM:TO:STEP] [--seed N] [--temperature T] [--set NAME=VALUE,…] [--start ordered|random|spot|separated] " +
    "[--discard N] [--structure N] [--ranks N] [--device gpu|cpu|auto] [--json] [--out FILE.npy|.vti|.pvti]",
  summary: `Simulates a model on a periodic lattice, and measures it with errors. MODEL is ${names}.`,
  positionals: ["MODEL"],
  options,
  async run({ positionals: [name], options: given }, terminal) {
    const { parameters: known } = modelNamed(name);
    if (given.vary !== undefined) {
      const { vary } = await import("./vary.ts");
      return vary(name, given, terminal);
    }
    if (given.sizes !== undefined) throw usage("The option --sizes needs --vary.", "Give one --size.");
    const size = lengthsOf(required("size", given.size));
    const sweeps = numberOption("sweeps", required("sweeps", given.sweeps));
    const seed = numberOption("seed", given.seed ?? "1");
    const device = wantedDevice(given.device);
    const isRanked = ownRanks(given.ranks, 1, process.env) !== 1;
    const pieces = isRanked ? sitePieces(size) : [];
    const extension =
      given.out === undefined ? undefined : extensionOf(given.out, [...siteExtensions(size), ...pieces]);
    const parameters = parametersGiven(name, known, given);
    const options = {
      size,
      sweeps,
      seed,
      parameters,
      ...(given.start !== undefined && { start: given.start }),
      ...(given.discard !== undefined && { discard: numberOption("discard", given.discard) }),
      ...(given.structure !== undefined && { structureEvery: numberOption("structure", given.structure) }),
    };
    const printed = { model: name, size: given.size, sweeps, seed };
    if (isRanked) {
      const { ranks: count, out } = given;
      const index = extension !== undefined && pieces.includes(extension) ? out : undefined;
      return withRanks({ device, out: index, given: count, usual: 1 }, terminal, async (ranks) => {
        const start = performance.now();
        const onLost = (lost: number) => reportLoss(lost, terminal);
        const found = await ranks.simulate(name, {
          ...options,
          onLost,
          ...(index !== undefined && { out: index }),
        });
        if (!found) return undefined;
        const ms = performance.now() - start;
        for (const note of found.notes) terminal.err(note);
        if (out !== undefined && index === undefined) await writeSites(out, size, found.fields);
        return { ...printed, ...measured(found), ranks: found.ranks, ms };
      });
    }
    const { lattice, releaseDevice } = await import("../library.ts");
    const found = await lattice.simulate(name, { ...options, device });
    await releaseDevice();
    const { report, notes, fields } = found;
    for (const note of notes) terminal.err(note);
    terminal.err(`Ran on ${report.device === "gpu" ? `the GPU: ${report.description}` : "the CPU"}.`);
    if (given.out !== undefined) await writeSites(given.out, size, fields);
    return { ...printed, ...measured(found), device: report.device, ms: report.ms };
  },
};

/** What is printed of a run. */
const measured = ({ measures, structure }: Pick<Simulated, "measures" | "structure">) => ({
  measures: structure ? { ...measures, domainSize: structure.domainSize } : measures,
  ...(structure && {
    structureFactor: {
      wavenumbers: [...structure.wavenumbers],
      mean: structure.values.map(({ mean }) => mean),
      error: structure.values.map(({ error }) => error),
    },
  }),
});
