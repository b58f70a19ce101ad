import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { formatInvitation } from "../../cluster/room/invitation.ts";
import { keyBytes } from "../../cluster/room-key.ts";
import { CrinkleError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import { statisticsJob } from "../../engine/ranks/statistics-job.ts";
import { numberOption } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device.ts";
import { LocalRanks } from "../rank/local-ranks.ts";
import { nodeEngine } from "../rank/node-engine.ts";
import { type StartedRank, startRank } from "../rank/start-rank.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";

const options = {
  ranks: { type: "string", help: "Ranks: this process, and others that it starts on this machine (2)" },
  field: { type: "string", help: "The statement to report, or a name for a result without one (the last)" },
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
    const path = resolve(file);
    const key = Uint8Array.from(randomBytes(keyBytes));
    const ranks = new LocalRanks(terminal);
    let host: StartedRank | undefined;
    try {
      host = await startRank(
        {
          invitation: { key, at: { tcp: "" } },
          opens: true,
          name: "rank 0",
          gpu: device,
          engine: nodeEngine({ device, data: path }),
          launcher: undefined,
          listen: { host: "127.0.0.1" },
          signalling: undefined,
          events: { onJoinRequest: (request) => request.admit() },
          onReachable: () => {},
        },
        noJob.signal,
      );
      const { session } = host;
      const link = formatInvitation({ key, at: { tcp: host.tcp } });
      ranks.start(count - 1, link, ["--device", device, "--data", path]);
      await ranks.joined(() => session.communicator?.size === count);
      terminal.err(`${count === 1 ? "1 rank computes" : `${count} ranks compute`}.`);
      const start = performance.now();
      const found = await session.run(
        statisticsJob,
        { source: { kind: "path", path }, text, wanted: given.field ?? null },
        { ...noJob, restarted: (lost) => reportLoss(lost.length, terminal) },
      );
      if (!found) throw new Error("The first rank has no result.");
      const { name, result, notes, ranks: reports, origin } = found;
      for (const note of notes) terminal.err(note);
      const summary =
        result.kind === "quantity"
          ? summarizeQuantity(name, result.quantity)
          : summarizeField({ ...result, name }, result.statistics);
      return { ...summary, data: origin, ms: performance.now() - start, ranks: reports };
    } finally {
      await host?.leave();
      ranks.stop();
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
