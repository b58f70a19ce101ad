import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { CpuTeam } from "../engine/cpu-threads.ts";

/** Maximum number of threads: more would wait for memory rather than compute. */
const maxThreads = 32;

/**
 * Node threads that compute on the CPU, as many as the process may use besides its own, running the program built
 * beside this one.
 */
export function nodeWorkers(
  size = Math.min(availableParallelism(), maxThreads) - 1,
  program = new URL(/* @vite-ignore */ "cpu-worker.js", import.meta.url),
): CpuTeam {
  return new CpuTeam(size, ({ answered, died }) => {
    const worker = new Worker(program, { name: "crinkle CPU" });
    // Referenced while it has work; otherwise the program may end.
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
