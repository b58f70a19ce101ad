import { type ChildProcess, spawn } from "node:child_process";
import { builtOnce } from "./built-once.ts";

await builtOnce();

/** A running command of ranks, and its output. `launcher` starts Node where it is given: a program and its arguments. */
export class RankProcess {
  readonly #child: ChildProcess;
  out = "";
  err = "";
  /** The exit code, once it has ended. */
  code: number | null | undefined;

  constructor(
    args: readonly string[],
    env: Record<string, string> = {},
    program = "bin/crinkle.js",
    launcher: readonly string[] = [],
  ) {
    const [command, ...rest] = [...launcher, process.execPath, program, ...args];
    this.#child = spawn(command, rest, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.out += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.err += text;
    });
    this.#child.on("close", (code) => {
      this.code = code;
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Milliseconds until its output matches, which it may do already. Throws with the output after a timeout. */
  async hears(pattern: RegExp, ms = 20_000): Promise<number> {
    return this.#until(() => pattern.test(this.err) || pattern.test(this.out), ms, String(pattern));
  }

  async ends(ms = 20_000): Promise<number | null> {
    await this.#until(() => this.code !== undefined, ms, "its end");
    return this.code ?? null;
  }

  async #until(condition: () => boolean, ms: number, what: string): Promise<number> {
    const start = performance.now();
    while (!condition()) {
      if (performance.now() - start > ms)
        throw new Error(`no ${what} within ${ms} ms:\n${this.out}\n${this.err}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - start;
  }
}
