import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CrinkleError } from "../core/errors.ts";
import type { Source } from "../data/source.ts";

/** A file of this machine as a Source. The file is opened with the first read; `close` gives its handle back. */
export interface PathSource extends Source {
  close(): Promise<void>;
}

/** Throws BadFile if there is no such file, or no permission to read it. */
export function pathSource(path: string): PathSource {
  const name = basename(path);
  const size = fileSize(path);
  let handle: Promise<FileHandle> | undefined;
  return {
    name,
    size,
    async read(from, to) {
      try {
        handle ??= open(path, "r");
        return await readFully(await handle, from, to);
      } catch (cause) {
        throw cannotRead(path, cause);
      }
    },
    async close() {
      const opened = handle;
      handle = undefined;
      // A failure to open the file has already been reported by the read that tried to.
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** The same file, which is open only while it is read. Reads must not overlap. */
export const unopenedSource = (source: PathSource): Source => ({
  name: source.name,
  size: source.size,
  async read(from, to) {
    try {
      return await source.read(from, to);
    } finally {
      await source.close();
    }
  },
});

/** Files beside `path`, for formats that keep their numbers in another file; undefined for a missing one. */
export function companionsOf(path: string): (name: string) => PathSource | undefined {
  return (name) => {
    try {
      return pathSource(join(dirname(path), name));
    } catch {
      return undefined;
    }
  };
}

function fileSize(path: string): number {
  let status: ReturnType<typeof statSync>;
  try {
    status = statSync(path);
  } catch (cause) {
    throw cannotRead(path, cause);
  }
  if (status.isDirectory()) throw badFile(`“${path}” is a folder.`, "Give the path of a file.");
  if (!status.isFile()) throw badFile(`“${path}” is a pipe or a device.`, "Save it to a file first.");
  return status.size;
}

async function readFully(file: FileHandle, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  let have = 0;
  while (have < bytes.length) {
    const { bytesRead } = await file.read(bytes, have, bytes.length - have, from + have);
    if (bytesRead === 0) throw new Error(`it ends at byte ${from + have}, before byte ${to}`);
    have += bytesRead;
  }
  return bytes;
}

function cannotRead(path: string, cause: unknown): CrinkleError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return badFile(`There is no file “${path}”.`, "Check the path.", cause);
  if (code === "EACCES" || code === "EPERM") {
    return badFile(`“${path}” cannot be read by this account.`, "Change its permissions.", cause);
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return badFile(`“${path}” could not be read: ${reason}.`, "It may have changed meanwhile.", cause);
}

function badFile(problem: string, remedy: string, cause?: unknown): CrinkleError {
  return new CrinkleError({ tag: "BadFile", problem, remedy, cause });
}
