import { type Answer, CpuTeam, type WorkerHandle, type WorkerListener } from "./team.ts";

/** More threads than this wait for memory rather than compute. */
const maxThreads = 32;

/**
 * Workers for a page or for a worker of it, as many as the machine has cores beside the caller's. None where memory
 * cannot be shared, which takes a page that is isolated from other origins (COOP and COEP).
 */
export function browserWorkers(): CpuTeam {
  const isIsolated = globalThis.crossOriginIsolated === true;
  const cores = Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, maxThreads);
  return new CpuTeam(
    isIsolated ? cores - 1 : 0,
    startWorker,
    isIsolated || cores === 1
      ? undefined
      : "The page is not isolated from other origins (Cross-Origin-Opener-Policy and -Embedder-Policy), so that its threads cannot share memory.",
  );
}

function startWorker({ answered, died }: WorkerListener): WorkerHandle {
  const worker = new Worker(new URL("./browser-worker.ts", import.meta.url), { type: "module", name: "cpu" });
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => answered(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    worker.terminate();
    died(event.message || "its code could not be loaded");
  });
  return {
    send: (request) => worker.postMessage(request),
    hold: () => {},
    end: () => worker.terminate(),
  };
}
