import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CrinkleError } from "../../core/errors.ts";
import { commandsOnGpus } from "../gpus/take.ts";

/** The command line, seen from the built programs. */
const fromBuilt = "../../bin/crinkle.js";
const program = fileURLToPath(new URL(fromBuilt, import.meta.url));

/** Milliseconds within which processes on this machine have joined. */
const joinMs = 60_000;
const pollMs = 5;

export interface LocalCommand {
  /** What process k runs, from 1 on. */
  command(k: number): readonly string[];
  /** Each is to have a GPU of its own, if the machine has several. */
  readonly usesGpus: boolean;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints is printed by this process, too. */
  readonly passesOn?: boolean;
}

/** `crinkle rank LINK` with further arguments. */
export const rankCommandOf =
  (link: string, args: readonly string[]): LocalCommand["command"] =>
  (k) => [
    ...[process.execPath, program, "rank", link],
    ...["--name", `rank ${k}`, "--listen", "127.0.0.1"],
    ...args,
  ];

/** Ranks on this machine, as processes that end with this one. */
export class LocalRanks {
  readonly #log: (line: string) => void;
  readonly #children: ChildProcess[] = [];
  #problem: CrinkleError | undefined;
  #isStopping = false;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Starts a command so many times. */
  start(count: number, { command, usesGpus, env, passesOn = false }: LocalCommand): void {
    const { commands, problem } = usesGpus
      ? commandsOnGpus(count, command)
      : { commands: Array.from({ length: count }, (_, k) => command(k + 1)) };
    if (problem) this.#log(problem);
    for (const [index, [file, ...rest]] of commands.entries()) {
      const k = index + 1;
      // A rank notices by the channel that this process has ended.
      const child = spawn(file, rest, {
        stdio: ["ignore", passesOn ? "inherit" : "ignore", "pipe", "ipc"],
        env: { ...process.env, ...env },
      });
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-2000);
        if (passesOn) process.stderr.write(text);
      });
      child.on("exit", (code, signal) => {
        if (!this.#isStopping) this.#problem ??= ended(k, signal ?? `code ${code}`, said.trim());
      });
      child.on("error", (error) => {
        this.#problem ??= ended(k, error.message, "");
      });
      this.#log(`Rank ${k} is process ${child.pid}.`);
      this.#children.push(child);
    }
  }

  /** Waits until all have joined. Throws Unreachable where one of them ends before, or they take over a minute. */
  async joined(areThere: () => boolean): Promise<void> {
    const until = performance.now() + joinMs;
    while (!areThere()) {
      if (this.#problem) throw this.#problem;
      if (performance.now() > until) throw ended(0, "they did not join within a minute", "");
      await setTimeout(pollMs);
    }
  }

  stop(): void {
    this.#isStopping = true;
    for (const child of this.#children) if (child.exitCode === null) child.kill("SIGTERM");
  }
}

const ended = (rank: number, how: string, said: string) =>
  new CrinkleError({
    tag: "Unreachable",
    problem:
      rank === 0 ? `The ranks cannot be used: ${how}.` : `Rank ${rank} ended before it had joined (${how}).`,
    remedy: said || "Start fewer ranks.",
  });
