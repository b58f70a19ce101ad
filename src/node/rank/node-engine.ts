import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { CrinkleError } from "../../core/errors.ts";
import { storedHydrogenOrbital } from "../../data/samples/hydrogen.ts";
import { defaultPoints } from "../../data/samples/size.ts";
import { storedTangle } from "../../data/samples/tangle.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import { OwnEngine } from "../../engine/ranks/rank-engine.ts";
import { nodeWorkers } from "../cpu-workers.ts";
import { openDevice } from "../device.ts";
import type { RankDevice } from "../device-option.ts";
import { openFile } from "../read-file.ts";
import { writeChunks } from "../write-file.ts";

export interface NodeEngineOptions {
  readonly device: RankDevice;
  /** A file or a folder of this machine that jobs may read; none where it is left out. */
  readonly data?: string;
  /** The one file of the web that jobs may read; none where it is left out. */
  readonly address?: string;
  /** A folder of this machine that jobs may write into; none where it is left out. */
  readonly out?: string;
}

/**
 * The engine of a rank in Node: one device, opened with the first job. Of this machine's files it reads those that `data`
 * allows, and writes those that `out` does, whatever a host asks for; of the network's only that at `address`.
 */
export function nodeEngine({ device, data, address, out }: NodeEngineOptions): OwnEngine {
  return new OwnEngine({
    workers: nodeWorkers(),
    openDevice: () => openDevice(device),
    async read(source, job, onRead) {
      if (source.kind === "path") {
        const path = data === undefined ? undefined : await allowedPath(source.path, data);
        return path === undefined ? undefined : openFile(path, job, onRead, source.raw ?? undefined);
      }
      if (source.kind === "url") {
        if (source.url !== address) return undefined;
        const { openAddress } = await import("../../engine/ranks/page-data.ts");
        return openAddress(source, job, onRead);
      }
      if (source.kind !== "sample") return undefined;
      const size = source.size ?? defaultPoints;
      if (source.name === "tangle") return storedTangle(size);
      if (source.name === "hydrogen") return storedHydrogenOrbital(size);
      return undefined;
    },
    write: out === undefined ? undefined : (path, chunks) => writeAllowed(path, out, chunks),
  });
}

/** Throws Refused where the path is not in the folder, BadArgument where nothing can be written there. */
async function writeAllowed(path: string, folder: string, chunks: Chunks): Promise<void> {
  const into = await allowedPath(dirname(resolve(path)), folder);
  const target = into === undefined ? undefined : join(into, basename(path));
  const isLink = target !== undefined && (await lstat(target).catch(() => undefined))?.isSymbolicLink();
  if (target === undefined || isLink) {
    throw new CrinkleError({
      tag: "Refused",
      problem: `This rank may not write “${path}”.`,
      remedy: "Start it with --out and the folder that the file is for, which has to exist.",
    });
  }
  await writeChunks(target, chunks);
}

/** The path with its links followed, if it exists and is what may be read, or in the folder that may be. */
async function allowedPath(path: string, allowed: string): Promise<string | undefined> {
  try {
    const [wanted, root] = await Promise.all([realpath(resolve(path)), realpath(resolve(allowed))]);
    return wanted === root || wanted.startsWith(root.endsWith(sep) ? root : root + sep) ? wanted : undefined;
  } catch {
    return undefined;
  }
}
