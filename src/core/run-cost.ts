/** What a run moves and holds: seed 001's Dev-W, Dev-R and K-Exe (Table II), and the bytes of its Figure 6. */
export interface RunCost {
  /** Arrays sent to the device: fields, coordinates, and values that came back before. */
  readonly uploads: number;
  readonly downloads: number;
  readonly kernels: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** The most bytes in arrays on the device at once. */
  readonly peakBytes: number;
}

export const zeroCost: RunCost = {
  uploads: 0,
  downloads: 0,
  kernels: 0,
  uploadedBytes: 0,
  downloadedBytes: 0,
  peakBytes: 0,
};

const sumWith = (costs: readonly RunCost[], peak: (held: number, more: number) => number): RunCost =>
  costs.reduce(
    (sum, cost) => ({
      uploads: sum.uploads + cost.uploads,
      downloads: sum.downloads + cost.downloads,
      kernels: sum.kernels + cost.kernels,
      uploadedBytes: sum.uploadedBytes + cost.uploadedBytes,
      downloadedBytes: sum.downloadedBytes + cost.downloadedBytes,
      peakBytes: peak(sum.peakBytes, cost.peakBytes),
    }),
    zeroCost,
  );

/** The cost of runs that follow each other. */
export const sumCosts = (costs: readonly RunCost[]): RunCost => sumWith(costs, Math.max);

/** The cost of runs on several devices at once: all counts add up, and so does what the devices hold at most. */
export const costOverDevices = (costs: readonly RunCost[]): RunCost =>
  sumWith(costs, (held, more) => held + more);
