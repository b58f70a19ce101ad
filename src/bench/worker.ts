import { expose } from "comlink";
import { CrinkleError, describeError, isCancelled, type PlainError } from "../core/errors.ts";
import { GpuContext } from "../gpu/device/context.ts";
import { browserTrialStore } from "../gpu/primitives/browser-store.ts";
import { keepTrials } from "../gpu/primitives/trials.ts";
import type { BenchApi, BenchEvent, BenchGroup, BenchRequest } from "./api.ts";
import { caseNames, runBench } from "./run.ts";

/** What the page measures, by the beginnings of the cases' names. */
const filters: Readonly<Record<BenchGroup, string>> = {
  all: "^primitives/",
  elements: "^primitives/(transform|zip|sequence|reverse|gather|scatter|copy_if|partition|segmented)",
  scans: "^primitives/(reduce|scan)",
  searches: "^primitives/(upper|merge|set|histogram)",
  sorts: "^primitives/sort",
  short: "^primitives/small/",
};

function toPlain(error: unknown): PlainError {
  if (error instanceof CrinkleError) return error.toPlain();
  return { tag: "Internal", problem: describeError(error), remedy: "" };
}

class Bench implements BenchApi {
  #running = new AbortController();

  async run({ n, group }: BenchRequest, onEvent: (event: BenchEvent) => void): Promise<void> {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const filter = filters[group];
    let gpu: GpuContext | undefined;
    try {
      gpu = await GpuContext.open(navigator.gpu);
      const { pipelines } = gpu;
      const tell = (event: BenchEvent) => {
        onEvent(event);
        onEvent({ kind: "compiled", pipelines: pipelines.count, ms: pipelines.compileMs });
      };
      keepTrials(gpu, browserTrialStore());
      const { description, isSoftware } = gpu.adapter;
      onEvent({ kind: "began", machine: description, isSoftware, names: caseNames(filter) });
      await runBench(
        gpu,
        { filter, isQuick: isSoftware, n },
        {
          onCase: (name, index) => onEvent({ kind: "case", name, index }),
          onRow: (row) => tell({ kind: "row", row }),
          onFailure: (name, error) => tell({ kind: "failed", name, error: toPlain(error) }),
        },
        signal,
      );
    } catch (error) {
      if (!isCancelled(error)) throw toPlain(error);
    } finally {
      gpu?.dispose();
    }
  }

  cancel(): void {
    this.#running.abort();
  }
}

expose(new Bench() satisfies BenchApi);
