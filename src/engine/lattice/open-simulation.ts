import type { LatticePlan } from "../../core/lattice/model.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import type { GpuContext } from "../../gpu/device/context.ts";

/** A model of passes on a device. Throws UnknownName for a start, TooLarge, OutOfMemory. */
export async function openSimulation(
  gpu: GpuContext | undefined,
  plan: LatticePlan,
  options: SimulationOptions,
): Promise<Simulation> {
  if (gpu) {
    const { createGpuSimulation } = await import("../../gpu/lattice/simulation.ts");
    return createGpuSimulation(gpu, plan, options);
  }
  const { createHostSimulation } = await import("../../cpu/lattice/simulation.ts");
  return createHostSimulation(plan, options);
}
