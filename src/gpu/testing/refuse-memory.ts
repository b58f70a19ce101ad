import type { GpuContext } from "../device/context.ts";

/**
 * Runs `work` on a device that has no memory for the buffers that `refuses` selects: they are invalid, and the innermost
 * scope for memory reports them. Returns what went wrong outside all scopes.
 */
export async function withoutMemory(
  { device }: GpuContext,
  refuses: (descriptor: GPUBufferDescriptor) => boolean,
  work: () => Promise<void>,
): Promise<readonly string[]> {
  const { createBuffer, pushErrorScope, popErrorScope } = device;
  const scopes: { readonly filter: GPUErrorFilter; isRefused: boolean }[] = [];
  const uncaptured: string[] = [];
  const note = (event: GPUUncapturedErrorEvent) => {
    event.preventDefault();
    uncaptured.push(event.error.message);
  };
  device.addEventListener("uncapturederror", note);
  device.pushErrorScope = (filter) => {
    scopes.push({ filter, isRefused: false });
    return pushErrorScope.call(device, filter);
  };
  device.popErrorScope = async () => {
    const isRefused = scopes.pop()?.isRefused;
    const error = await popErrorScope.call(device);
    return isRefused ? new GPUOutOfMemoryError("there is no memory") : error;
  };
  device.createBuffer = (descriptor) => {
    if (!refuses(descriptor)) return createBuffer.call(device, descriptor);
    const scope = scopes.findLast(({ filter }) => filter === "out-of-memory");
    if (scope) scope.isRefused = true;
    else uncaptured.push(`There is no memory for “${descriptor.label}”.`);
    pushErrorScope.call(device, "validation");
    const invalid = GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE;
    const buffer = createBuffer.call(device, { ...descriptor, usage: invalid });
    void popErrorScope.call(device);
    return buffer;
  };
  try {
    await work();
    await device.queue.onSubmittedWorkDone();
  } finally {
    Object.assign(device, { createBuffer, pushErrorScope, popErrorScope });
    device.removeEventListener("uncapturederror", note);
  }
  return uncaptured;
}
