import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";

export interface StaticFile {
  readonly path: string;
  readonly size: number;
  /** The bytes [from, to). */
  read(from: number, to: number): Readable;
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

/** The file that a URL names; undefined for what is not there. */
export type FindFile = (url: string) => Promise<StaticFile | undefined>;

/**
 * The files of a folder, index.html for the folders in it. Undefined for what is not there and for
 * everything outside the root, also through "..", encoded forms and symbolic links.
 */
export const filesIn =
  (root: string): FindFile =>
  (url) =>
    fileIn(root, url);

async function fileIn(root: string, url: string): Promise<StaticFile | undefined> {
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
    const at = found;
    const read = (from: number, to: number) => createReadStream(at, { start: from, end: to - 1 });
    return { path: at, size: status.size, tag, read };
  } catch {
    return undefined;
  }
}

/** Files in memory, by their paths from the root without a slash at the beginning; `tag` changes with any of them. */
export function filesInMemory(files: ReadonlyMap<string, Uint8Array>, tag: string): FindFile {
  return async (url) => {
    const requested = requestedPath(url)?.replace(/^\/+/, "");
    const path = requested === "" ? "index.html" : requested;
    const bytes = path === undefined ? undefined : files.get(path);
    if (path === undefined || !bytes) return undefined;
    const read = (from: number, to: number) => Readable.from([bytes.subarray(from, to)]);
    return { path: `/${path}`, size: bytes.length, tag, read };
  };
}

/** Names that the build puts a content hash in: what they name never changes. */
export function isHashed(path: string): boolean {
  return /[/\\]assets[/\\].*-[\w-]{8,}\.\w+$/.test(path);
}
