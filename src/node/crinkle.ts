import { version } from "../../package.json";
import { CrinkleError, describeError } from "../core/errors.ts";
import { nearestName } from "../core/names.ts";
import { readArguments } from "./command-line/arguments.ts";
import type { Command, Terminal } from "./command-line/command.ts";
import { commandHelp, overview } from "./command-line/help.ts";

/** What loads each command, which loads what it needs: a start does without the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  info: async () => (await import("./commands/info.ts")).infoCommand,
  eval: async () => (await import("./commands/eval.ts")).evalCommand,
  transform: async () => (await import("./commands/transform.ts")).transformCommand,
  simulate: async () => (await import("./commands/simulate.ts")).simulateCommand,
  run: async () => (await import("./commands/run.ts")).runCommand,
  neighbors: async () => (await import("./commands/neighbors.ts")).neighborsCommand,
  isosurface: async () => (await import("./commands/surfaces/isosurface.ts")).isosurfaceCommand,
  cut: async () => (await import("./commands/surfaces/cut.ts")).cutCommand,
  clip: async () => (await import("./commands/surfaces/clip.ts")).clipCommand,
  slice: async () => (await import("./commands/surfaces/slice.ts")).sliceCommand,
  threshold: async () => (await import("./commands/surfaces/threshold.ts")).thresholdCommand,
  probe: async () => (await import("./commands/probe.ts")).probeCommand,
  line: async () => (await import("./commands/line.ts")).lineCommand,
  render: async () => (await import("./commands/render.ts")).renderCommand,
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  rank: async () => (await import("./commands/rank.ts")).rankCommand,
  room: async () => (await import("./commands/rank.ts")).roomCommand,
};

/** Standard output and standard error. */
const standard: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
};

/** Runs the command line; resolves to the exit code: 0, 1 (bad input) or 2 (usage). */
export async function main(args: readonly string[], terminal = standard): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-V") {
    terminal.out(version);
    return 0;
  }
  const isHelp = name === "--help" || name === "-h" || name === "help";
  const command = await commandNamed(isHelp ? rest[0] : name);
  if (isHelp) {
    terminal.out(command ? commandHelp(command) : await help());
    return 0;
  }
  if (!command) {
    terminal.err(name === undefined ? "A command is missing." : unknownCommand(name));
    terminal.err(await help());
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

async function commandNamed(name: string | undefined): Promise<Command | undefined> {
  return name !== undefined && Object.hasOwn(commands, name) ? commands[name]() : undefined;
}

async function help(): Promise<string> {
  return overview(await Promise.all(Object.values(commands).map((load) => load())));
}

function unknownCommand(name: string): string {
  const close = nearestName(name, Object.keys(commands));
  return `There is no command “${name}”.${close ? ` Did you mean ${close}?` : ""}`;
}
