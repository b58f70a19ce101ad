import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser, hasHardwareGpu, softwareVulkan } from "../../../tools/browser.mjs";
import type { Terminal } from "../command-line/command.ts";
import { builtOnce } from "./built-once.ts";

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Program {
  main(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Runs the built program in this process, which takes a fraction of the time. For what needs no GPU, and no process of its own. */
export async function runCrinkle(args: readonly string[]): Promise<Finished> {
  await builtOnce();
  const { main } = (await import(pathToFileURL(resolve("dist/node/crinkle.js")).href)) as Program;
  let out = "";
  let err = "";
  const code = await main(args, {
    out(line) {
      out += `${line}\n`;
    },
    err(line) {
      err += `${line}\n`;
    },
  });
  return { code, out, err };
}

/** Runs `crinkle` as a person would, with further variables of the environment, and waits for its end. */
export async function spawnCrinkle(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  await builtOnce();
  const child = spawn(process.execPath, ["bin/crinkle.js", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

/**
 * Runs `crinkle`, which must succeed, and reads the one JSON object that it prints: in a process of its own where it is given an
 * environment, else in this one.
 */
export async function resultOf<Result>(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<Result> {
  const { code, out, err } = await (env ? spawnCrinkle(args, env) : runCrinkle(args));
  if (code !== 0) throw new Error(`crinkle ${args.join(" ")} ended with ${code}:\n${err}`);
  return JSON.parse(out) as Result;
}

/** The environment in which Dawn finds a GPU: this machine's, or else the software driver that the browser brings. */
export async function gpuEnvironment(): Promise<Record<string, string>> {
  if (hasHardwareGpu()) return {};
  return softwareVulkan((await findBrowser()).executablePath) ?? {};
}

/** The path of a real data set beside the project; undefined, after one line that says so, where it is missing. */
export function sharedPath(name: string): string | undefined {
  const path = resolve("../shared/data", name);
  if (existsSync(path)) return path;
  console.info(`left out: ../shared/data/${name} is not beside this project`);
  return undefined;
}
