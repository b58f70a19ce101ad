import { createClusterSimulation } from "../../../algorithms/lattice/cluster-simulation.ts";
import { modelNamed } from "../../../core/lattice/models.ts";
import type { Measured } from "../../../core/lattice/statistics.ts";
import {
  measureVaried,
  type OpenSimulation,
  type VariedPoint,
  type VariedRun,
  variedRuns,
} from "../../../core/lattice/vary.ts";
import type { GpuContext } from "../../../gpu/device/context.ts";
import { openSimulation } from "../../lattice/open-simulation.ts";
import { localPrimitives } from "../distributed-surface.ts";
import { gatherReports } from "../rank-reports.ts";
import type { RecordedRun } from "../recorded-run.ts";
import type { RankedVariation, VaryRequest } from "../vary-job.ts";

/** Every rank calls it; rank 0 gets all points. Throws UnknownName, BadArgument, TooLarge, OutOfMemory, Cancelled. */
export async function varyOnRanks(
  run: RecordedRun,
  request: VaryRequest,
): Promise<RankedVariation | undefined> {
  const { communicator, engine, job } = run;
  const model = modelNamed(request.model);
  const runs = variedRuns(model, { ...request, start: request.start ?? undefined });
  const dealt = dealRuns(runs, communicator.size);
  const own = dealt[communicator.rank];
  const { gpu } = await engine.device();
  const names = Object.keys(model.measures);
  const numbers: number[] = [];
  for (const [done, k] of own.entries()) {
    const { measures } = await measureVaried(model, request, runs[k], openOn(gpu), {
      signal: job.signal,
      onProgress: (sweeps) => job.progress((done + sweeps / request.sweeps) / own.length, "Varying"),
    });
    for (const name of names) numbers.push(measures[name].mean, measures[name].error ?? Number.NaN);
  }
  const all = await communicator.gather(Float64Array.from(numbers));
  const reports = await gatherReports(run, { points: own.length });
  if (!all || !reports) return undefined;
  const points = runs.map(({ size, value }, k): VariedPoint => {
    const rank = dealt.findIndex((of) => of.includes(k));
    const first = 2 * names.length * dealt[rank].indexOf(k);
    const measured = names.map((name, n): [string, Measured] => {
      const [mean, error] = all[rank].subarray(first + 2 * n);
      return [name, { mean, error: Number.isNaN(error) ? undefined : error }];
    });
    return { size, value, measures: Object.fromEntries(measured) };
  });
  return { points, ...reports };
}

/** Runs for each rank, by their numbers: the largest first, each to the rank that has least to do. */
function dealRuns(runs: readonly VariedRun[], size: number): readonly (readonly number[])[] {
  const dealt = Array.from({ length: size }, () => ({ sites: 0, runs: [] as number[] }));
  const order = [...runs.keys()].sort((a, b) => runs[b].plan.length - runs[a].plan.length);
  for (const k of order) {
    const least = dealt.reduce((a, b) => (b.sites < a.sites ? b : a));
    least.sites += runs[k].plan.length;
    least.runs.push(k);
  }
  return dealt.map(({ runs }) => runs);
}

/** Simulations on a rank's own device. */
const openOn =
  (gpu: GpuContext | undefined): OpenSimulation =>
  async (plan, options) => {
    if (!plan.clusters) return openSimulation(gpu, plan, options);
    const { local, dispose } = await localPrimitives(gpu);
    const simulation = await createClusterSimulation(local, plan, plan.clusters, options).catch((error) => {
      dispose();
      throw error;
    });
    return {
      ...simulation,
      dispose() {
        simulation.dispose();
        dispose();
      },
    };
  };
