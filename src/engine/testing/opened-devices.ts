import { afterEach, beforeEach } from "vitest";

/**
 * The devices that engines open in each of a file's tests, in order, so that tests can lose them. `hear` is called for
 * each.
 */
export function openedDevices(hear: (device: GPUDevice) => void = () => {}): readonly GPUDevice[] {
  const devices: GPUDevice[] = [];
  const { requestDevice } = GPUAdapter.prototype;
  beforeEach(() => {
    devices.length = 0;
    GPUAdapter.prototype.requestDevice = async function (...args) {
      const device = await requestDevice.apply(this, args);
      devices.push(device);
      hear(device);
      return device;
    };
  });
  afterEach(() => {
    GPUAdapter.prototype.requestDevice = requestDevice;
  });
  return devices;
}
