import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findBrowser, hasHardwareGpu, softwareVulkan } from "../../../tools/browser.mjs";

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `crinkle` as a person would, and waits for its end. */
export function runCrinkle(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
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

/** Runs `crinkle`, which must succeed, and reads the one JSON object that it prints. */
export async function resultOf<Result>(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Result> {
  const { code, out, err } = await runCrinkle(args, env);
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
