import { describeError } from "../core/errors.ts";
import { isSoftwareGpu } from "../engine/device.ts";
import { withoutStandardError } from "./standard-error.ts";

/** WebGPU for Node, or the reason why it is missing. */
export interface NodeGpu {
  readonly gpu: GPU | undefined;
  /** Why there is no GPU; empty if `gpu` is defined. */
  readonly reason: string;
}

/** Dawn's instance. It must outlive its devices: if it is collected before them, the process crashes. */
let instance: GPU | undefined;
let isSoftware: Promise<boolean> | undefined;
let warnings: readonly string[] = [];

/**
 * Dawn, through the optional package `webgpu`; its constants become globals, as in a browser. Timestamps are not
 * rounded. Dawn needs a Vulkan driver on Linux (VK_ICD_FILENAMES chooses one), Metal or Direct3D elsewhere; whether it
 * finds an adapter shows when a device is asked for. Dawn keeps Node running until it exits. `switches` are Dawn's, after
 * those of the variable CRINKLE_DAWN, and take effect in the first call only.
 */
export async function openNodeGpu(switches: readonly string[] = []): Promise<NodeGpu> {
  try {
    const { create, globals } = await import("webgpu");
    Object.assign(globalThis, globals);
    const given = process.env.CRINKLE_DAWN?.split(/\s+/).filter(Boolean) ?? [];
    instance ??= await silenced(
      create(["disable-dawn-features=timestamp_quantization", ...given, ...switches]),
    );
    return { gpu: instance, reason: "" };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    const reason = isMissing ? "the package webgpu is not installed" : describeError(error);
    return { gpu: undefined, reason };
  }
}

/**
 * The same instance. Dawn looks for drivers when it is first asked for an adapter, and prints what it does not find with the places
 * of its own sources on the machine that built it, which none of its options keeps back.
 */
async function silenced(gpu: GPU): Promise<GPU> {
  const ask = gpu.requestAdapter.bind(gpu);
  const quietly = await withoutStandardError();
  gpu.requestAdapter = (options) => {
    const { result, said } = quietly(() => ask(options));
    warnings = [...warnings, ...warningsIn(said)];
    return result;
  };
  return gpu;
}

/** Dawn's sentences, without their places. */
const warningsIn = (said: string): readonly string[] =>
  [...said.matchAll(/^(?:Warning|Error): (.+)$/gm)].map(([, sentence]) => sentence);

/** What Dawn has said of drivers that it did not find or could not use. */
export const dawnWarnings = (): readonly string[] => warnings;

/** Whether Dawn finds no adapter but one that runs on the CPU. */
export function hasOnlySoftware(gpu: GPU): Promise<boolean> {
  isSoftware ??= isSoftwareGpu(gpu);
  return isSoftware;
}

/** The adapter's name, without opening a device. */
export async function describeGpu(gpu: GPU): Promise<string> {
  const adapter = await gpu.requestAdapter().catch(() => null);
  return adapter?.info.description || adapter?.info.device || adapter?.info.vendor || "no GPU";
}
