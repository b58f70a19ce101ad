import type { CrinkleError } from "../../../core/errors.ts";
import { formatBytes } from "../../../core/format.ts";
import type { RunCost } from "../../../core/run-cost.ts";
import { DoesNotFit } from "../plan/refusals.ts";
import type { StrategyName } from "../plan/strategies.ts";

/** A strategy that was asked before the one that was taken, and why it was not. */
export interface Refusal {
  readonly strategy: StrategyName;
  readonly error: CrinkleError;
}

/**
 * Why a strategy was taken automatically, in the words of every report: what it moves and holds, and what kept the
 * others from it. `isResident` where fields and results stay on the GPU.
 */
export function reasonFor(
  strategy: StrategyName,
  { uploadedBytes, downloadedBytes, peakBytes }: Omit<RunCost, "uploads" | "downloads" | "kernels">,
  refusals: readonly Refusal[],
  isResident: boolean,
): string {
  const moved = formatBytes(uploadedBytes + downloadedBytes);
  const why = isResident
    ? ": fields and results stay on the GPU"
    : `, the fastest ${refusals.length > 0 ? "of those that fit" : "by prediction"}`;
  const others = refusals.map(({ strategy: other, error }) =>
    error instanceof DoesNotFit ? `${other} would hold ${formatBytes(error.bytes)}` : `${other} does not fit`,
  );
  return [`${strategy} moves ${moved} and holds ${formatBytes(peakBytes)}${why}`, ...others].join("; ");
}

/** What is said where a strategy was asked for and there is no GPU. */
export const onlyOneWay = (strategy: StrategyName): string =>
  `The CPU has one way to compute; the strategy ${strategy} is the GPU's.`;
