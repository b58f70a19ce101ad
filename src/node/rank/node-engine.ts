import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { hydrogenOrbital } from "../../data/samples/hydrogen.ts";
import { defaultPoints } from "../../data/samples/size.ts";
import { tangle } from "../../data/samples/tangle.ts";
import { OwnEngine } from "../../engine/ranks/rank-engine.ts";
import { noTerminal } from "../command-line/command.ts";
import { nodeWorkers } from "../cpu-workers.ts";
import { openDevice, type WantedDevice } from "../device.ts";
import { readAnyFile } from "../read-file.ts";

export interface NodeEngineOptions {
  readonly device: WantedDevice;
  /** A file or a folder of this machine that jobs may read; none where it is left out. */
  readonly data?: string;
}

/**
 * The engine of a rank in Node: one device, opened with the first job. Of this machine's files it reads those that `data`
 * allows, whatever a host asks for; of the network's none.
 */
export function nodeEngine({ device, data }: NodeEngineOptions): OwnEngine {
  return new OwnEngine({
    workers: nodeWorkers(),
    openDevice: () => openDevice(device),
    async read(source, job) {
      if (source.kind === "path") {
        const path = data === undefined ? undefined : await allowedPath(source.path, data);
        return path === undefined ? undefined : readAnyFile(path, noTerminal, job);
      }
      if (source.kind !== "sample") return undefined;
      const size = source.size ?? defaultPoints;
      if (source.name === "tangle") return tangle(size, job);
      if (source.name === "hydrogen") return hydrogenOrbital(size, job);
      return undefined;
    },
  });
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
