import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The path of a real data set beside the project; undefined, after one line that says so, where it is missing. */
export function sharedDataPath(name: string): string | undefined {
  const path = resolve(import.meta.dirname, "../../../shared/data", name);
  if (existsSync(path)) return path;
  console.info(`left out: ../shared/data/${name} is not beside this project`);
  return undefined;
}
