import { setTimeout } from "node:timers/promises";
import { RankProcess } from "./rank-process.ts";

/**
 * Runs a command on three ranks, of which one is killed `ms` milliseconds after they have begun, or sooner where all was over by
 * then. Resolves to the run once it has ended well without that rank.
 */
export async function runWithKilledRank(args: readonly string[], ms: number): Promise<RankProcess> {
  const run = new RankProcess([...args, "--ranks", "3"]);
  try {
    await run.hears(/3 ranks compute/, 60_000);
    const [, pid] = /Rank 1 is process (\d+)/.exec(run.err) ?? [];
    await setTimeout(ms);
    const wasAlive = kill(Number(pid));
    const code = await run.ends(60_000);
    if (code !== 0) throw new Error(`crinkle ${args.join(" ")} ended with ${code}:\n${run.err}`);
    if (wasAlive && run.err.includes("A rank was lost; the others compute its part, too.")) return run;
  } finally {
    run.signal("SIGKILL");
  }
  if (ms === 0) throw new Error(`No rank was lost:\n${run.err}`);
  return runWithKilledRank(args, ms < 10 ? 0 : ms / 2);
}

/** Whether there was still such a process. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
