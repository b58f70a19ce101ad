/**
 * Which GPU a rank takes on a machine with several. Vulkan lists all that a process can open, whatever CUDA_VISIBLE_DEVICES
 * says, and Dawn takes the first that is listed; GPUs of one model have one name. So what a rank is not to use is hidden
 * from it, by its device file.
 */
import { closeSync, openSync, readdirSync } from "node:fs";

/** A rank's GPU, by its device file, and those that are for other ranks. */
export interface GpuChoice {
  readonly own: string;
  readonly others: readonly string[];
}

/** What device files of GPUs begin with: NVIDIA's own, and those of the kernel's drivers, which NVIDIA's may have as well. */
const places = [
  { folder: "/dev", prefix: "nvidia" },
  { folder: "/dev/dri", prefix: "renderD" },
];

/** What is asked of the system. */
export interface DeviceFiles {
  /** Names in a folder; none where it does not exist. */
  list(folder: string): readonly string[];
  /** Whether this process may use the device: launchers that confine jobs leave the files, but not the right to open them. */
  canOpen(path: string): boolean;
}

/** The GPUs that this process may use, in the order of their numbers: device files on Linux, none known elsewhere. */
export function gpuFiles({ list, canOpen }: DeviceFiles = deviceFiles): readonly string[] {
  for (const { folder, prefix } of places) {
    const numbers = list(folder)
      .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map((name) => Number(name.slice(prefix.length)));
    const paths = numbers.toSorted((a, b) => a - b).map((number) => `${folder}/${prefix}${number}`);
    if (paths.length > 0) return paths.filter(canOpen);
  }
  return [];
}

/**
 * The GPU of the rank with this number among those on its machine: ranks take turns where they are more. Of what
 * CUDA_VISIBLE_DEVICES lists by number, if it does. Undefined where there is nothing to choose.
 */
export function chooseGpu(
  localRank: number,
  files: readonly string[],
  cudaDevices: string | undefined,
): GpuChoice | undefined {
  if (files.length < 2) return undefined;
  const listed = /^\d+(,\d+)*$/.test(cudaDevices ?? "")
    ? (cudaDevices ?? "").split(",").flatMap((number) => files[Number(number)] ?? [])
    : [];
  const candidates = listed.length > 0 ? listed : files;
  const own = candidates[localRank % candidates.length];
  return { own, others: files.filter((path) => path !== own) };
}

const deviceFiles: DeviceFiles = {
  list(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  canOpen(path) {
    try {
      closeSync(openSync(path, "r+"));
      return true;
    } catch {
      return false;
    }
  },
};
