import type { JobContext } from "../../core/job.ts";
import { modelNamed } from "../../core/lattice/models.ts";
import { varyModel } from "../../core/lattice/vary.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { LatticePoint, LatticeVariation } from "./api.ts";
import { openSimulation } from "./open-simulation.ts";

/** Runs a model at each value of a parameter on each size, apart from the lattice that is open. Throws what `varyModel` does. */
export function varyOnDevice(
  gpu: GpuContext | undefined,
  { model: name, ...variation }: LatticeVariation,
  onPoint: (point: LatticePoint) => void,
  job: JobContext,
): Promise<readonly LatticePoint[]> {
  const model = modelNamed(name);
  return varyModel(
    model,
    { ...variation, discard: Math.floor(variation.sweeps / 5), start: undefined },
    async (plan, options) => {
      if (plan.clusters) {
        throw badArgument(`The page does not run ${name}.`, "Run it by crinkle simulate.");
      }
      return openSimulation(gpu, plan, options);
    },
    {
      signal: job.signal,
      onPoint,
      onProgress: (fraction) => job.progress(fraction, `Varying ${variation.parameter}`),
    },
  );
}
