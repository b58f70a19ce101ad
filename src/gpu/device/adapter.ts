import { CrinkleError } from "../../core/errors.ts";

/** What a person reads about the GPU, and what algorithms choose by. */
export interface AdapterDescription {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** True for adapters that run on the CPU (SwiftShader, llvmpipe, WARP): right, and slow. */
  readonly isSoftware: boolean;
}

const softwareNames = /swiftshader|llvmpipe|lavapipe|warp|basic render/i;

export function describeAdapter(info: GPUAdapterInfo): AdapterDescription {
  const { vendor, architecture, description } = info;
  const fallback = "isFallbackAdapter" in info && info.isFallbackAdapter === true;
  return {
    vendor,
    architecture,
    description: description || [vendor, architecture].filter(Boolean).join(" ") || "unnamed GPU",
    isSoftware: fallback || softwareNames.test(`${vendor} ${architecture} ${description}`),
  };
}

const wantedFeatures = [
  "timestamp-query",
  "subgroups",
  "float32-filterable",
  "indirect-first-instance",
  "shader-f16",
] as const;

/** The limits worth asking for in full; the others stay at their defaults, which three.js and we never exceed. */
const wantedLimits = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
  "maxTextureDimension2D",
  "maxTextureDimension3D",
  "maxVertexBuffers",
  "maxVertexAttributes",
] as const;

const noWebGPU = (reason: string, cause?: unknown): CrinkleError =>
  new CrinkleError({
    tag: "NoWebGPU",
    problem: reason,
    remedy:
      "Use a current Chrome, Edge, Safari or Firefox with hardware acceleration switched on. Data and expressions work on the CPU meanwhile.",
    cause,
  });

export interface OpenedDevice {
  readonly device: GPUDevice;
  readonly adapter: AdapterDescription;
}

const wantedAdapter = { powerPreference: "high-performance" } as const;

/** Whether the fastest adapter is one that runs on the CPU. */
export async function isSoftwareGpu(gpu: GPU): Promise<boolean> {
  const adapter = await gpu.requestAdapter(wantedAdapter);
  return adapter !== null && describeAdapter(adapter.info).isSoftware;
}

/** Asks for the fastest adapter and a device with that adapter's real limits. Throws NoWebGPU. */
export async function openDevice(gpu: GPU | undefined): Promise<OpenedDevice> {
  if (!gpu) {
    throw noWebGPU("This environment has no WebGPU: navigator.gpu is missing (it needs HTTPS or localhost).");
  }
  const adapter = await gpu.requestAdapter(wantedAdapter);
  if (!adapter) throw noWebGPU("WebGPU is there, but it found no adapter: no GPU, or its driver is blocked.");
  const requiredLimits: Record<string, number> = {};
  for (const limit of wantedLimits) requiredLimits[limit] = adapter.limits[limit];
  try {
    const device = await adapter.requestDevice({
      label: "crinkle",
      requiredFeatures: wantedFeatures.filter((feature) => adapter.features.has(feature)),
      requiredLimits,
    });
    return { device, adapter: describeAdapter(adapter.info) };
  } catch (cause) {
    throw noWebGPU(`The adapter ${adapter.info.description} gave no device: ${String(cause)}.`, cause);
  }
}
