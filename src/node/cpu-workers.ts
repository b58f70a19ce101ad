import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { CpuTeam } from "../engine/cpu-threads.ts";

/** More threads than this wait for memory rather than compute. */
const maxThreads = 32;

/** Threads of Node for the CPU, as many as the process may use beside its own, from the program built beside this one. */
export function nodeWorkers(
  size = Math.min(availableParallelism(), maxThreads) - 1,
  program = new URL(/* @vite-ignore */ "cpu-worker.js", import.meta.url),
): CpuTeam {
  return new CpuTeam(size, ({ answered, died }) => {
    const worker = new Worker(program, { name: "crinkle CPU" });
    // Held while it has work: else the program may end.
    worker.unref();
    worker.on("message", answered);
    worker.on("error", (error) => died(error.message));
    worker.on("exit", (code) => died(`it ended with code ${code}`));
    return {
      send: (request) => worker.postMessage(request),
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      end: () => void worker.terminate(),
    };
  });
}
