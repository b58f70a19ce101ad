/** A loss is told so long after its first consequences at most. */
const maxMs = 100;

/** What a device's loss ends may fail before the loss is told: resolves when it is, or would have been. */
export function lossIsTold(device: GPUDevice): Promise<unknown> {
  return Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, maxMs))]);
}
