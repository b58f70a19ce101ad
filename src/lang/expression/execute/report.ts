import type { Quantity } from "../../../core/quantity.ts";
import type { RunCost } from "../../../core/run-cost.ts";
import type { NodeId } from "../network/network.ts";
import type { StrategyName } from "../plan/strategies.ts";

export interface KernelReport {
  readonly label: string;
  readonly wgsl: string;
  /** GPU time, where a timer was given and the device has timestamps. */
  readonly ms?: number;
  /** The values that it computed, with the bytes of their arrays. */
  readonly written: readonly { readonly node: NodeId; readonly bytes: number }[];
}

/** The account of a run on a GPU. */
export interface RunReport extends RunCost {
  readonly strategy: StrategyName;
  /** Why this strategy, where it was chosen automatically. */
  readonly reason?: string;
  /** Blocks that went through the device one after the other, where it was more than one. */
  readonly blocks: number;
  /** From the first byte sent to the last kernel submitted, or to the last byte back where results come back. */
  readonly ms: number;
  /** In the order in which they ran: those of what reductions need come first. */
  readonly kernelReports: readonly KernelReport[];
}

export interface RunResult<Field> {
  /** The outputs that vary, by name. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly report: RunReport;
}
