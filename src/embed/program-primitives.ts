import { badArgument } from "../core/primitives/checks.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import * as cpu from "../cpu/primitives/cpu-primitives.ts";
import { describeAdapter } from "../gpu/device/adapter.ts";
import { GpuContext } from "../gpu/device/context.ts";
import { recognize } from "../gpu/device/pool.ts";
import type { CpuPrimitives, DevicePrimitives } from "./primitives-api.ts";

/** Primitives over typed arrays. */
export const createCpuPrimitives = (): CpuPrimitives => cpu.createCpuPrimitives();

/** One context for each device, since it is asked for what it does right only once. */
const contexts = new WeakMap<GPUDevice, GpuContext>();

/**
 * Primitives on the caller's device, which is never destroyed; what the device does right and fast is tried first. Rejects with
 * DeviceLost, ShaderError.
 */
export async function createGpuPrimitives(device: GPUDevice): Promise<DevicePrimitives> {
  const gpu = contexts.get(device) ?? new GpuContext(device, describeAdapter(device.adapterInfo));
  contexts.set(device, gpu);
  const { createGpuPrimitives: create } = await import("../gpu/primitives/gpu-primitives/gpu-primitives.ts");
  const { adopt, memory, idleSize: _, trimReadBacks: __, ...rest } = await create(gpu);
  return {
    ...rest,
    adopt<T extends ScalarType>(
      type: T,
      buffer: GPUBuffer,
      { offset = 0, length, components = 1 }: Parameters<DevicePrimitives["adopt"]>[2] = {},
    ): Vector<T> {
      checkPlace(buffer, offset);
      recognize(buffer, { device, size: buffer.size, largestBinding: gpu.pool.largestBinding });
      const size = buffer.size - offset;
      const fits = Math.floor(size / (4 * components));
      const part = { buffer, offset, size, label: buffer.label, release() {} };
      return adopt(type, part, length ?? fits, components, () => true);
    },
    memory,
  };
}

function checkPlace(buffer: GPUBuffer, offset: number): void {
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  if ((buffer.usage & STORAGE) === 0 || (buffer.usage & COPY_SRC) === 0) {
    throw badArgument(
      "adopt was given a buffer without the usages STORAGE and COPY_SRC.",
      "Create it with GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC.",
    );
  }
  if (Number.isInteger(offset) && offset >= 0 && offset % 4 === 0 && offset <= buffer.size) return;
  throw badArgument(
    `adopt was given the offset ${offset} in a buffer of ${buffer.size} bytes.`,
    "Give a multiple of 4 within it.",
  );
}
