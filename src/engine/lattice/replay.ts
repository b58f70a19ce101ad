import { checkCancelled, type JobContext, yieldToEventLoop } from "../../core/job.ts";
import type { LatticeChange, Numbers } from "./api.ts";
import type { LatticeDevice, OnSums } from "./device.ts";

/** Sweeps that are run at a time take about so long: between them it can be cancelled. */
const batchMs = 100;
const maxBatch = 1024;

interface Repeated {
  readonly parameters: Numbers;
  readonly sweeps: number;
  readonly changes: readonly LatticeChange[];
}

/**
 * Runs sweeps from the start, with changes between them, and reports their sums; resolves to the parameters at the end. Throws Cancelled, and BadArgument
 * for a stroke that the model cannot have.
 */
export async function replay(
  { simulation }: Pick<LatticeDevice, "simulation">,
  { parameters: first, sweeps, changes }: Repeated,
  onSums: OnSums,
  job: JobContext,
): Promise<Numbers> {
  let parameters = first;
  let done = 0;
  let batch = 1;
  const runTo = async (end: number) => {
    while (done < end) {
      checkCancelled(job, "The lattice");
      const count = Math.min(batch, end - done);
      const began = performance.now();
      onSums(await simulation.run(count, parameters));
      const ms = performance.now() - began;
      if (ms < batchMs) batch = Math.min(maxBatch, 2 * batch);
      else if (ms > 3 * batchMs) batch = Math.max(1, batch >> 1);
      done += count;
      job.progress(done / sweeps, "Running sweeps");
      await yieldToEventLoop();
    }
  };
  for (const change of changes) {
    await runTo(Math.min(change.sweep, sweeps));
    if (change.kind === "parameters") parameters = change.parameters;
    else (await simulation.brush())(change.stroke);
  }
  await runTo(sweeps);
  return parameters;
}
