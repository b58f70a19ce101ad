import { formatBytes, formatCount } from "../../core/format.ts";
import type { Traffic } from "../../core/rank-trace.ts";
import { costOverDevices, type RunCost } from "../../core/run-cost.ts";

/** What a rank passed to others and got from them, and what its GPU ran and held. */
export function costWords({ sent, received, ...cost }: Omit<Traffic, "messages"> & RunCost): string {
  const traffic = `${formatBytes(sent)} sent, ${formatBytes(received)} received`;
  return cost.kernels > 0 ? `${traffic}; ${deviceWords(cost)}` : traffic;
}

/** What the GPUs of all ranks ran and held together; nothing where none ran a kernel. */
export function totalSentence(ranks: readonly RunCost[]): readonly string[] {
  const total = costOverDevices(ranks);
  return ranks.length > 1 && total.kernels > 0 ? [`All ranks together: ${deviceWords(total)}.`] : [];
}

function deviceWords({ kernels, uploadedBytes, downloadedBytes, peakBytes }: RunCost): string {
  const counted = `${formatCount(kernels)} kernel${kernels === 1 ? "" : "s"}`;
  const moved = `${formatBytes(uploadedBytes)} to GPUs, ${formatBytes(downloadedBytes)} back`;
  return `${counted}, ${moved}, ${formatBytes(peakBytes)} at peak`;
}
