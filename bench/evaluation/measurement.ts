import type { RunCost } from "../../src/core/run-cost.ts";
import type { StrategyName } from "../../src/lang/expression/plan/strategies.ts";

/** By a strategy or a hand-written kernel on the GPU, or on the CPU. */
export type Way = StrategyName | "hand-written" | "cpu";

export const ways: readonly Way[] = ["fusion", "hand-written", "staged", "streamed", "roundtrip", "cpu"];

/** One expression on one sub-grid in one way. */
export interface Measurement {
  readonly expression: string;
  readonly way: Way;
  readonly cells: number;
  /** Milliseconds of each run, transfers included; empty where it was not run. */
  readonly runs: readonly number[];
  /** What a run moves and holds, or would. */
  readonly cost?: RunCost;
  /** Why it cannot run. */
  readonly refusal?: string;
  /** Milliseconds that a run would take, where that was too long. */
  readonly predictedMs?: number;
}

/** The mean of all but the fastest and the slowest; of fewer than four, the middle or the mean of two. */
export function trimmedMean(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const kept = sorted.length > 2 ? sorted.slice(1, -1) : sorted;
  return kept.length === 0 ? undefined : kept.reduce((a, b) => a + b, 0) / kept.length;
}

export const meanMs = ({ runs }: Measurement): number | undefined => trimmedMean(runs);
