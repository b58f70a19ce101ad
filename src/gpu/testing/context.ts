import { GpuContext } from "../device/context.ts";

let shared: Promise<GpuContext> | undefined;

/** The device that GPU tests share. A machine without an adapter fails the test that asks. */
export function testGpu(): Promise<GpuContext> {
  shared ??= GpuContext.open(navigator.gpu);
  return shared;
}
