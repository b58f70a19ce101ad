import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform, transformUsages } from "../../core/hypercube/parse-transform.ts";
import { printShape } from "../../core/hypercube/shape.ts";
import { required } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device-option.ts";
import { loadJob } from "../ranked-calls.ts";
import { readTransformInput } from "../transform-data.ts";
import { ownRanks } from "./own-ranks.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { reportLoss, warningsTo, withRanks } from "./with-ranks.ts";

const options = {
  field: { type: "string", help: "The field to transform (all that the file has)" },
  ranks: {
    type: "string",
    help: "Ranks that each move their part of a grid or an array: this process, and others that it starts on this machine (1)",
  },
  device: deviceOption,
  json: { type: "boolean", help: "One JSON object on standard output (the default)" },
  out: {
    type: "string",
    help: "File for the result: .vti (uniform grids), .vtr (rectilinear grids) or .npy; .pvti or .pvtr for pieces of several ranks",
  },
  ...rawOptions,
} as const;

/** Applies a layout transform to a file's values. */
export const transformCommand: Command<typeof options> = {
  name: "transform",
  usage:
    "transform IN 'TRANSFORM | …' [--field NAME] [--ranks N] [--device gpu|cpu|auto] [--json] --out FILE.vti|.vtr|.npy|.pvti|.pvtr " +
    rawUsage,
  summary:
    `Rearranges the values of a grid or of a .npy array, from left to right by ${transformUsages.join(", ")}; ` +
    "axes are x, y, z or numbers, 0 the fastest.",
  positionals: ["IN", "TRANSFORM"],
  options,
  async run({ positionals: [path, text], options: given }, terminal) {
    const out = required("out", given.out);
    const device = wantedDevice(given.device);
    // A wrong text is refused before a large file is read.
    const operations = parseTransform(text);
    if (ownRanks(given.ranks, 1, process.env) !== 1) {
      const { field, ranks: count } = given;
      const heard = { onLost: (lost: number) => reportLoss(lost, terminal), onWarning: warningsTo(terminal) };
      const options = { raw: wantedRaw(given), field, ...heard };
      return withRanks(
        { load: loadJob.transform, device, file: path, out, given: count, usual: 1 },
        terminal,
        async (ranks) => {
          const start = performance.now();
          const found = await ranks.transform(path, text, out, options);
          if (!found) return undefined;
          const { origin, trace: _, ...report } = found;
          return { transform: text, ...report, data: origin, ms: performance.now() - start };
        },
      );
    }
    const input = await readTransformInput(path, out, given.field, terminal, wantedRaw(given));
    const { hypercube, releaseDevice } = await import("../library.ts");
    const { lengths, type, arrays } = input;
    const map = hypercube.map(type ? { lengths, type } : { lengths }, text);
    const results = [];
    let ms = 0;
    let where: { readonly device: string; readonly description: string } | undefined;
    for (const { data, components } of arrays) {
      const { data: moved, report, notes } = await hypercube.apply(map, data, { device, components });
      if (!where) for (const note of notes) terminal.err(note);
      results.push(moved);
      ms += report.ms;
      where = report;
    }
    await releaseDevice();
    terminal.err(`Ran on ${where?.device === "gpu" ? `the GPU: ${where.description}` : "the CPU"}.`);
    await input.write(mapOf(lengths, operations), results);
    const { from, to, formula, isBijection } = map;
    return {
      transform: text,
      from: printShape(from),
      to: printShape(to),
      formula,
      isBijection,
      fields: arrays.map(({ name, components }) => ({ name, components })),
      device: where?.device,
      ms,
    };
  },
};
