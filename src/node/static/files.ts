import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

export interface StaticFile {
  readonly path: string;
  readonly size: number;
  /** Changes with the file's length and time of change; without quotes. */
  readonly tag: string;
}

/** The path that a request's URL names, below the root; undefined where it is malformed. */
function requestedPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*$/s, ""));
    return path.includes("\0") || path.includes("\\") ? undefined : path;
  } catch {
    return undefined;
  }
}

/**
 * The file of `root` that a URL names, a folder's index.html included. Undefined for what is not there and for
 * everything outside the root, also through "..", encoded forms and symbolic links.
 */
export async function findFile(root: string, url: string): Promise<StaticFile | undefined> {
  const path = requestedPath(url);
  if (path === undefined) return undefined;
  try {
    const base = await realpath(root);
    let found = await realpath(join(base, path));
    let status = await stat(found);
    if (status.isDirectory()) {
      found = await realpath(join(found, "index.html"));
      status = await stat(found);
    }
    if (!found.startsWith(base + sep) || !status.isFile()) return undefined;
    const tag = `${status.size.toString(36)}-${Math.round(status.mtimeMs).toString(36)}`;
    return { path: found, size: status.size, tag };
  } catch {
    return undefined;
  }
}

/** Names that the build puts a content hash in: what they name never changes. */
export function isHashed(path: string): boolean {
  return /[/\\]assets[/\\].*-[\w-]{8,}\.\w+$/.test(path);
}
