// The page's side of the bench in a browser; `bench/chromium.ts` drives it.

import type { BenchOptions, BenchRow } from "../../src/bench/case.ts";
import { runBench } from "../../src/bench/run.ts";
import { describeError } from "../../src/core/errors.ts";
import { GpuContext } from "../../src/gpu/device/context.ts";

/** What the driver puts into the page before it loads. */
declare global {
  interface Window {
    benchOptions: BenchOptions;
    benchHead(machine: string): Promise<void>;
    benchRow(row: BenchRow): Promise<void>;
    benchFailure(name: string, error: string): Promise<void>;
    benchEnd(error: string): Promise<void>;
  }
}

async function main(): Promise<void> {
  const gpu = await GpuContext.open(navigator.gpu);
  await window.benchHead(gpu.adapter.description);
  await runBench(gpu, window.benchOptions, {
    onRow: (row) => void window.benchRow(row),
    onFailure: (name, error) => void window.benchFailure(name, describeError(error)),
  });
}

main().then(
  () => window.benchEnd(""),
  (error: unknown) => window.benchEnd(describeError(error)),
);
