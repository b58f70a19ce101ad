/** A loss is reported so long after its first consequences at most; on a loaded machine it takes more than 100 ms. */
const maxMs = 500;

/** What a device's loss ends may fail before the loss is reported: resolves when it is, or would have been. */
export function lossReported(device: GPUDevice): Promise<unknown> {
  return Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, maxMs))]);
}
