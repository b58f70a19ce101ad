import { type ProxyMarked, proxy, type Remote, transfer, wrap } from "comlink";
import type { EngineApi, LatticeApi } from "./api.ts";

/** An interface as it is seen from another thread: every method answers with a promise. */
type Async<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Async<Api[Name]>;
};

/** The engine as it is seen from another thread. */
export type AsyncEngine = Async<EngineApi>;

/** What the worker exposes: the lattice stays there, too. */
type Exposed = Omit<EngineApi, "lattice"> & { readonly lattice: LatticeApi & ProxyMarked };

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
  return new Proxy(wrap<Exposed>(worker), { get: methodOf }) as AsyncEngine;
}

function methodOf(remote: Remote<Exposed>, name: keyof EngineApi): unknown {
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
    case "lattice":
      return new Proxy(remote.lattice, { get: latticeMethodOf });
    default:
      return remote[name];
  }
}

function latticeMethodOf(remote: Remote<Exposed["lattice"]>, name: keyof LatticeApi): unknown {
  if (name !== "vary") return remote[name];
  return ((variation, onPoint) =>
    remote.vary(variation, proxy(onPoint))) satisfies AsyncEngine["lattice"]["vary"];
}
