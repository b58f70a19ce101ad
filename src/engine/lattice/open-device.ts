import type { SimulationState } from "../../core/lattice/simulation.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { LatticeDevice, OnSums } from "./device.ts";
import type { LatticeSettings } from "./settings.ts";

/** Who listens to a device: known once it is there. */
export class Relay {
  onSums: OnSums = () => {};
  failed: (error: unknown) => void = () => {};
}

/** At its start, or in a state that it had elsewhere. Throws BadArgument for a model that sweeps by clusters, TooLarge, OutOfMemory, DeviceLost. */
export async function openDevice(
  gpu: GpuContext | undefined,
  settings: LatticeSettings,
  relay: Relay,
  state?: SimulationState,
): Promise<LatticeDevice> {
  if (settings.plan.clusters) {
    throw badArgument(
      `The page does not run ${settings.model.name}, whose sweeps wait for each other's clusters.`,
      "Run it by crinkle simulate, or open ising or potts, which have the same averages.",
    );
  }
  const onSums: OnSums = (sums) => relay.onSums(sums);
  if (gpu) {
    const { GpuLattice } = await import("./gpu-lattice.ts");
    return GpuLattice.create(gpu, settings, onSums, (error) => relay.failed(error), state);
  }
  const { HostLattice } = await import("./host-lattice.ts");
  return new HostLattice(settings, onSums, state);
}
