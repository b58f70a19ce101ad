import { GpuContext } from "../device/context.ts";

let shared: Promise<GpuContext> | undefined;

/** The device that GPU tests share. A machine without an adapter fails the test that asks. */
export function testGpu(): Promise<GpuContext> {
  shared ??= GpuContext.open(navigator.gpu);
  return shared;
}

let bare: Promise<GpuContext> | undefined;

/** A device with default limits and no features: no subgroups. */
export function bareGpu(): Promise<GpuContext> {
  bare ??= openBare();
  return bare;
}

async function openBare(): Promise<GpuContext> {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter!.requestDevice();
  return new GpuContext(device, (await testGpu()).adapter);
}
