import { proxy, type Remote, releaseProxy, wrap } from "comlink";
import type { BenchApi, BenchEvent, BenchRequest } from "./api.ts";

/** A bench in its worker. */
export interface BenchClient {
  run(request: BenchRequest, onEvent: (event: BenchEvent) => void): Promise<void>;
  cancel(): void;
  /** Ends the worker, with its device and whatever it was measuring. */
  close(): void;
}

/** Starts the bench's worker. `onCrash` hears that its code could not be loaded, or threw outside a call. */
export function connectBench(onCrash: (reason: string) => void): BenchClient {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "bench" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onCrash(event.message || "its code could not be loaded");
  });
  const remote: Remote<BenchApi> = wrap<BenchApi>(worker);
  return {
    run: (request, onEvent) => remote.run(request, proxy(onEvent)),
    cancel: () => void remote.cancel(),
    close: () => {
      remote[releaseProxy]();
      worker.terminate();
    },
  };
}
