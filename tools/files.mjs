// Listing of source trees, shared by the tools.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every file below `folder`, in no order; none where the folder does not exist. @param {string} folder */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * The latest modification among files and folders' files, in ms since 1970; 0 where none exists.
 * @param {readonly string[]} paths @param {(path: string) => boolean} [counts]
 */
export function newestChange(paths, counts = () => true) {
  let newest = 0;
  for (const path of paths) {
    if (!existsSync(path)) continue;
    const files = statSync(path).isDirectory() ? filesBelow(path) : [path];
    for (const file of files) if (counts(file)) newest = Math.max(newest, statSync(file).mtimeMs);
  }
  return newest;
}
