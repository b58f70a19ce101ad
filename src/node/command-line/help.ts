import type { Command } from "./command.ts";

/** What `crinkle --help` prints. */
export function overview(commands: readonly Command[]): string {
  const lines = commands.map(({ usage, summary }) => `  crinkle ${usage}\n      ${summary}`);
  return [
    "Crinkle: derived fields and isosurfaces of simulation data.",
    "",
    ...lines,
    "",
    "Each command prints one JSON object on standard output and messages on standard error.",
    "Exit codes: 0, 1 (bad input), 2 (usage). `crinkle COMMAND --help` shows the options of a command.",
  ].join("\n");
}

/** What `crinkle COMMAND --help` prints. */
export function commandHelp({ usage, summary, options }: Command): string {
  const names = Object.keys(options);
  const width = Math.max(0, ...names.map((name) => name.length)) + 2;
  const lines = names.map((name) => `  ${`--${name}`.padEnd(width)}  ${options[name].help}`);
  return [`Usage: crinkle ${usage}`, summary, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}
