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

/** What a test says about the devices that it gets. */
export interface ReusedDevices {
  /** All that this test asks for from now on are its own: a device that is lost has all engines of earlier tests open new ones. */
  own(): void;
}

/**
 * Gives a file's tests the devices of the tests before them, in other files too, whose compute pipelines are compiled: software
 * adapters take a second for some. A test that loses a device asks for `own` ones.
 */
export function reuseDevices(): ReusedDevices {
  let used: { readonly key: string; readonly device: GPUDevice }[] = [];
  let isOwn = false;
  eachDevice(
    () => {
      isOwn = false;
      for (const { key, device } of used) {
        if (!lost.has(device)) idle.set(key, [...(idle.get(key) ?? []), device]);
      }
      used = [];
    },
    async (descriptor, request) => {
      if (isOwn) return request();
      const key = JSON.stringify(descriptor);
      const device = idle.get(key)?.pop() ?? keepPipelines(await request());
      used.push({ key, device });
      return device;
    },
  );
  return {
    own: () => {
      isOwn = true;
    },
  };
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
