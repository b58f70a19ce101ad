import { proxy, type Remote, transfer, wrap } from "comlink";
import type { EngineApi } from "./api.ts";

/** The engine as it is seen from another thread: every method answers with a promise. */
export type AsyncEngine = {
  readonly [Method in keyof EngineApi]: (
    ...args: Parameters<EngineApi[Method]>
  ) => Promise<Awaited<ReturnType<EngineApi[Method]>>>;
};

/**
 * Starts the engine's worker. Callbacks and canvases may be passed directly: they cross as proxies and transfers.
 * `onCrash` is called for failures that no promise reports: the worker's code could not be loaded, or it threw outside
 * a call.
 */
export function connectEngine(onCrash: (reason: string) => void): AsyncEngine {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "engine" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onCrash(event.message || "its code could not be loaded");
  });
  return new Proxy(wrap<EngineApi>(worker), { get: methodOf }) as AsyncEngine;
}

function methodOf(remote: Remote<EngineApi>, name: keyof EngineApi): unknown {
  switch (name) {
    case "start":
      return ((options, onEvent) => remote.start(options, proxy(onEvent))) satisfies AsyncEngine["start"];
    case "attachCanvas":
      return ((canvas, viewport) =>
        remote.attachCanvas(transfer(canvas, [canvas]), viewport)) satisfies AsyncEngine["attachCanvas"];
    case "openRank":
      return ((port) => remote.openRank(transfer(port, [port]))) satisfies AsyncEngine["openRank"];
    case "compare":
      return ((text, budget, onRow) =>
        remote.compare(text, budget, proxy(onRow))) satisfies AsyncEngine["compare"];
    case "varyLattice":
      return ((variation, onPoint) =>
        remote.varyLattice(variation, proxy(onPoint))) satisfies AsyncEngine["varyLattice"];
    default:
      return remote[name];
  }
}
