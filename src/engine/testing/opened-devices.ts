import { afterEach, beforeEach } from "vitest";

/** Lets `open` stand in for GPUAdapter.requestDevice in each of a file's tests. */
function eachDevice(
  before: () => void,
  open: (
    descriptor: GPUDeviceDescriptor | undefined,
    request: () => Promise<GPUDevice>,
  ) => Promise<GPUDevice>,
): void {
  const { requestDevice } = GPUAdapter.prototype;
  beforeEach(() => {
    before();
    GPUAdapter.prototype.requestDevice = function (descriptor) {
      return open(descriptor, () => requestDevice.call(this, descriptor));
    };
  });
  afterEach(() => {
    GPUAdapter.prototype.requestDevice = requestDevice;
  });
}

/**
 * The devices that engines open in each of a file's tests, in order, so that tests can lose them. `hear` is called for
 * each.
 */
export function openedDevices(hear: (device: GPUDevice) => void = () => {}): readonly GPUDevice[] {
  const devices: GPUDevice[] = [];
  eachDevice(
    () => {
      devices.length = 0;
    },
    async (_, request) => {
      const device = await request();
      devices.push(device);
      hear(device);
      return device;
    },
  );
  return devices;
}

const idle = new Map<string, GPUDevice[]>();
const lost = new WeakSet<GPUDevice>();

/**
 * Gives a file's tests the devices of the tests before them, whose compute pipelines are compiled: software adapters take a second
 * for some. Not for tests that lose a device while engines of earlier tests could still answer.
 */
export function reuseDevices(): void {
  let used: { readonly key: string; readonly device: GPUDevice }[] = [];
  eachDevice(
    () => {
      for (const { key, device } of used) {
        if (!lost.has(device)) idle.set(key, [...(idle.get(key) ?? []), device]);
      }
      used = [];
    },
    async (descriptor, request) => {
      const key = JSON.stringify(descriptor);
      const device = idle.get(key)?.pop() ?? keepPipelines(await request());
      used.push({ key, device });
      return device;
    },
  );
}

/** Compiles each compute shader of a device once, whoever asks for it. */
function keepPipelines(device: GPUDevice): GPUDevice {
  void device.lost.then(() => lost.add(device));
  const codes = new WeakMap<GPUShaderModule, string>();
  const pipelines = new Map<string, Promise<GPUComputePipeline>>();
  const { createShaderModule, createComputePipelineAsync } = device;
  device.createShaderModule = (descriptor) => {
    const module = createShaderModule.call(device, descriptor);
    codes.set(module, descriptor.code);
    return module;
  };
  device.createComputePipelineAsync = (descriptor) => {
    const { module, ...compute } = descriptor.compute;
    const key = JSON.stringify([codes.get(module), compute, descriptor.layout]);
    const pipeline = pipelines.get(key) ?? createComputePipelineAsync.call(device, descriptor);
    pipelines.set(key, pipeline);
    return pipeline;
  };
  return device;
}
