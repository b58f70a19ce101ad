import { chooseGpu, gpuFiles } from "./choice.ts";
import { commandWithout, hideFiles } from "./hide.ts";

/**
 * Gives this process the GPU that its number on this machine names, before it opens a device. Resolves to a sentence that
 * says so where it cannot, and would use another.
 */
export async function takeGpu(localRank: number): Promise<string | undefined> {
  const files = gpuFiles();
  const choice = chooseGpu(localRank, files, process.env.CUDA_VISIBLE_DEVICES);
  const reason = choice && (await hideFiles(choice.others));
  return reason !== undefined && choice?.own !== files[0] ? allOnOne(files.length, reason) : undefined;
}

/** The same for a rank of MPI, by its number among those on its machine; one of them logs the sentence. */
export async function takeGpuAmong(
  local: { readonly rank: number; readonly size: number },
  log: (line: string) => void,
): Promise<void> {
  const problem = await takeGpu(local.rank);
  // The first rank has none where launchers confine no rank: its GPU is the one that all would use.
  if (problem && local.rank === Math.min(1, local.size - 1)) log(problem);
}

/** A command for each rank that this process starts, from number 1 on, which gives it its GPU. */
export function commandsOnGpus(
  count: number,
  commandOf: (localRank: number) => readonly string[],
): { readonly commands: readonly (readonly string[])[]; readonly problem: string | undefined } {
  const files = gpuFiles();
  let problem: string | undefined;
  const commands = Array.from({ length: count }, (_, k) => {
    const command = commandOf(k + 1);
    const choice = chooseGpu(k + 1, files, process.env.CUDA_VISIBLE_DEVICES);
    if (!choice || problem) return command;
    const confined = commandWithout(choice.others, command);
    if (!confined) problem = allOnOne(files.length, "unshare is not permitted");
    return confined ?? command;
  });
  return { commands, problem };
}

const allOnOne = (count: number, reason: string) =>
  `This machine's ranks cannot be given one of its ${count} GPUs each, but use the first (${reason}). ` +
  "Have the launcher confine each rank to its own, as Slurm does with --gpus-per-task=1 and ConstrainDevices=yes.";
