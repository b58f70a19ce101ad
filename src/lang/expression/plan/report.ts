import type { Field } from "../../../core/field.ts";
import type { Quantity } from "../../../core/quantity.ts";
import type { KernelReport } from "../execute/gpu/evaluate.ts";

/** How a network is run on a GPU. */
export type StrategyName = "roundtrip" | "staged" | "fusion" | "streamed";
export const strategyNames: readonly StrategyName[] = ["fusion", "staged", "streamed", "roundtrip"];

/** What a run moves and holds: seed 001's Dev-W, Dev-R and K-Exe (Table II), and the bytes of its Figure 6. */
export interface RunCost {
  /** Arrays sent to the device: fields, coordinates, and what came back before. */
  readonly uploads: number;
  readonly downloads: number;
  readonly kernels: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** The most bytes in arrays on the device at once. */
  readonly peakBytes: number;
}

export const nothingMoved: RunCost = {
  uploads: 0,
  downloads: 0,
  kernels: 0,
  uploadedBytes: 0,
  downloadedBytes: 0,
  peakBytes: 0,
};

/** What runs cost together that follow each other, but for the bytes held. */
export const counted = ["uploads", "downloads", "kernels", "uploadedBytes", "downloadedBytes"] as const;

/** Two runs, one after the other. */
export function inTurn(first: RunCost, then: RunCost): RunCost {
  return {
    uploads: first.uploads + then.uploads,
    downloads: first.downloads + then.downloads,
    kernels: first.kernels + then.kernels,
    uploadedBytes: first.uploadedBytes + then.uploadedBytes,
    downloadedBytes: first.downloadedBytes + then.downloadedBytes,
    peakBytes: Math.max(first.peakBytes, then.peakBytes),
  };
}

export interface RunReport extends RunCost {
  readonly strategy: StrategyName;
  /** Why this strategy, where it was chosen automatically. */
  readonly reason?: string;
  /** Blocks that went through the device one after the other, where it was more than one. */
  readonly blocks: number;
  /** From the first byte sent to the last one back. */
  readonly ms: number;
  readonly kernelReports: readonly KernelReport[];
}

export interface RunResult {
  /** The outputs that vary by name, on the host. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly report: RunReport;
}
