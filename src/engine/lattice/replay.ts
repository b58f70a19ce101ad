import { checkCancelled, type JobContext } from "../../core/job.ts";
import { SweepBatches } from "../../core/lattice/sweep-batches.ts";
import type { LatticeChange, Numbers } from "./api.ts";
import type { LatticeDevice, OnSums } from "./device.ts";

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
  const batches = new SweepBatches();
  const runTo = async (end: number) => {
    while (done < end) {
      checkCancelled(job, "The lattice");
      done += await batches.next(end - done, async (count) =>
        onSums(await simulation.run(count, parameters)),
      );
      job.progress(done / sweeps, "Running sweeps");
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
