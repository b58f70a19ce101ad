import { CrinkleError } from "../core/errors.ts";
import { isSoftwareGpu } from "../gpu/device/adapter.ts";
import { GpuContext } from "../gpu/device/context.ts";
import { keepTrials, type TrialStore } from "../gpu/primitives/trials.ts";
import type { DeviceSummary } from "./api.ts";

export { isSoftwareGpu };

/** Where expressions run: a GPU, or typed arrays with the reason why there is no GPU. */
export interface EngineDevice {
  readonly gpu: GpuContext | undefined;
  readonly summary: DeviceSummary;
  /** Whether a GPU was asked for, and not just taken where there is one: what it blurs is then not computed on the CPU. */
  readonly isChosen?: boolean;
}

const cpuByChoice: EngineDevice = {
  gpu: undefined,
  summary: { kind: "cpu", description: "CPU", isSoftware: false },
};

/**
 * "auto" falls back to the CPU and keeps the reason; "gpu" throws NoWebGPU if there is no GPU. `trials` stores what the
 * primitives find out about the device.
 */
export async function openEngineDevice(
  wanted: "auto" | "cpu" | "gpu",
  gpu: GPU | undefined,
  trials?: TrialStore,
): Promise<EngineDevice> {
  if (wanted === "cpu") return cpuByChoice;
  try {
    const context = await GpuContext.open(gpu);
    if (trials) keepTrials(context, trials);
    const { description, isSoftware } = context.adapter;
    return { gpu: context, summary: { kind: "gpu", description, isSoftware }, isChosen: wanted === "gpu" };
  } catch (error) {
    if (wanted === "gpu" || !(error instanceof CrinkleError)) throw error;
    return { gpu: undefined, summary: { ...cpuByChoice.summary, problem: error.toPlain() } };
  }
}
