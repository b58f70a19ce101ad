import { availableParallelism } from "node:os";
import { CrinkleError } from "../../core/errors.ts";
import { numberOption } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device.ts";
import { openRanks } from "../ranks.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";

const options = {
  ranks: { type: "string", help: "Ranks: this process, and others that it starts on this machine (2)" },
  field: { type: "string", help: "The statement to report (the last)" },
  device: deviceOption,
} as const;

/** The most ranks that one machine is asked to run. */
const maxRanks = 64;

/** Evaluates an expression over a file's fields by several ranks. */
export const runCommand: Command<typeof options> = {
  name: "run",
  usage: "run FILE 'EXPRESSION' [--ranks N] [--field NAME] [--device gpu|cpu|auto]",
  summary:
    "Computes an expression by several ranks, each its part of the grid, and prints what eval prints and what each rank did.",
  positionals: ["FILE", "EXPRESSION"],
  options,
  async run({ positionals: [file, text], options: given }, terminal) {
    const device = wantedDevice(given.device);
    const count = rankCount(given.ranks);
    const ranks = await openRanks({ count, device, data: file, log: terminal.err });
    try {
      terminal.err(`${count === 1 ? "1 rank computes" : `${count} ranks compute`}.`);
      const start = performance.now();
      const { name, result, notes, origin, ...found } = await ranks.statistics(file, text, {
        statement: given.field,
        onLost: (lost) => reportLoss(lost, terminal),
      });
      for (const note of notes) terminal.err(note);
      const summary =
        result.kind === "quantity"
          ? summarizeQuantity(name, result.quantity)
          : summarizeField({ ...result, name }, result.statistics);
      return { ...summary, data: origin, ms: performance.now() - start, ranks: found.ranks };
    } finally {
      await ranks.close();
    }
  },
};

function rankCount(text: string | undefined): number {
  const count = text === undefined ? 2 : numberOption("ranks", text);
  if (Number.isInteger(count) && count >= 1 && count <= maxRanks) return count;
  throw new CrinkleError({
    tag: "Usage",
    problem: `The option --ranks is ${text}.`,
    remedy: `Give a whole number from 1 to ${maxRanks}; this machine has ${availableParallelism()} cores.`,
  });
}

function reportLoss(count: number, terminal: Terminal): void {
  terminal.err(
    count === 1
      ? "A rank was lost; the others compute its part, too."
      : `${count} ranks were lost; the others compute their parts, too.`,
  );
}
