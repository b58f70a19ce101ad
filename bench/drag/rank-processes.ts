import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandsOnGpus } from "../../src/node/gpus/take.ts";

/** Seen from the built bench. */
const program = fileURLToPath(new URL("../../bin/crinkle.js", import.meta.url));

/** Ranks as processes, which are ended together. */
export class RankProcesses {
  readonly #children: ChildProcess[] = [];
  /** What they have written, the end of it. */
  said = "";

  /** Each joins the room of the link, on a GPU each where the machine has several. */
  join(count: number, link: string): void {
    const commandOf = (k: number) => [process.execPath, program, "rank", link, "--name", `rank ${k}`];
    const { commands, problem } = commandsOnGpus(count, commandOf);
    if (problem) this.said += `${problem}\n`;
    for (const command of commands) this.#start(command);
  }

  /** One member of the room stands for a job of so many ranks, which have the file. */
  joinAsGroup(count: number, link: string, file: string): void {
    this.#start([process.execPath, program, "run", file, "--room", link, "--ranks", String(count)]);
  }

  end(): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }

  #start([file, ...args]: readonly string[]): void {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.said = (this.said + text).slice(-2000);
      });
    child.on("error", ({ message }) => {
      this.said += message;
    });
    this.#children.push(child);
  }
}
