import { version } from "../../package.json";
import { CrinkleError, describeError } from "../core/errors.ts";
import { nearestName } from "../core/names.ts";
import { readArguments } from "./command-line/arguments.ts";
import type { Command, Terminal } from "./command-line/command.ts";
import { commandHelp, overview } from "./command-line/help.ts";
import { evalCommand } from "./commands/eval.ts";
import { infoCommand } from "./commands/info.ts";
import { neighborsCommand } from "./commands/neighbors.ts";
import { rankCommand, roomCommand } from "./commands/rank.ts";
import { renderCommand } from "./commands/render.ts";
import { runCommand } from "./commands/run.ts";
import { serveCommand } from "./commands/serve.ts";
import { simulateCommand } from "./commands/simulate.ts";
import { cutCommand } from "./commands/surfaces/cut.ts";
import { isosurfaceCommand } from "./commands/surfaces/isosurface.ts";
import { sliceCommand } from "./commands/surfaces/slice.ts";
import { thresholdCommand } from "./commands/surfaces/threshold.ts";
import { transformCommand } from "./commands/transform.ts";

const commands: readonly Command[] = [
  infoCommand,
  evalCommand,
  transformCommand,
  simulateCommand,
  runCommand,
  neighborsCommand,
  isosurfaceCommand,
  cutCommand,
  sliceCommand,
  thresholdCommand,
  renderCommand,
  serveCommand,
  rankCommand,
  roomCommand,
];

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
};

/** Runs the command line; resolves to the exit code: 0, 1 (bad input) or 2 (usage). */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-V") {
    terminal.out(version);
    return 0;
  }
  const isHelp = name === "--help" || name === "-h" || name === "help";
  const command = commands.find((candidate) => candidate.name === (isHelp ? rest[0] : name));
  if (isHelp) {
    terminal.out(command ? commandHelp(command) : overview(commands));
    return 0;
  }
  if (!command) {
    terminal.err(name === undefined ? "A command is missing." : unknownCommand(name));
    terminal.err(overview(commands));
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(commandHelp(command));
    return 0;
  }
  try {
    const result = await command.run(
      readArguments(rest, command.positionals, command.options, command.required),
      terminal,
    );
    if (result) terminal.out(JSON.stringify(result));
    return 0;
  } catch (error) {
    terminal.err(describeError(error));
    const isUsage = error instanceof CrinkleError && error.tag === "Usage";
    if (isUsage) terminal.err(`Usage: crinkle ${command.usage}`);
    return isUsage ? 2 : 1;
  }
}

function unknownCommand(name: string): string {
  const close = nearestName(
    name,
    commands.map((command) => command.name),
  );
  return `There is no command “${name}”.${close ? ` Did you mean ${close}?` : ""}`;
}
