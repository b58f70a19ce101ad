import type { PlainError } from "../../core/errors.ts";
import type { StrategyRequest } from "../../lang/expression/execute/gpu/choose-strategy.ts";
import type { RunReport } from "../../lang/expression/execute/report.ts";
import type { NodeReport } from "../../lang/expression/network/drawing.ts";
import type { NetworkLayout } from "../../lang/expression/network/layout.ts";
import type { NodeId } from "../../lang/expression/network/network.ts";
import type { StrategyName } from "../../lang/expression/plan/strategies.ts";

/** What is known of a value of the network: the bytes of its array, and the GPU time of the kernel that wrote it. */
export interface NodeMeasurement extends NodeReport {
  readonly node: NodeId;
}

/** What a run moved, held and took. */
export interface RunSummary extends RunReport {
  /** Of each value that has an array: after a staged run, whose kernels are one a filter; empty otherwise. */
  readonly nodes: readonly NodeMeasurement[];
}

export type RunRequest = StrategyRequest;

/** One strategy of a comparison. */
export type ComparisonRow =
  | {
      readonly kind: "run";
      readonly strategy: StrategyName;
      readonly run: RunSummary;
      /**
       * The largest difference from the comparison's first run, as a share of that run's largest magnitude; 0 where
       * all bits agree.
       */
      readonly difference: number;
    }
  | { readonly kind: "refused"; readonly strategy: StrategyName; readonly error: PlainError };

export interface Comparison {
  /** Which strategy an automatic choice takes, and why; undefined where none fits. */
  readonly chosen: { readonly strategy: StrategyName; readonly reason: string } | undefined;
}

/** A text's dataflow network (seed 001, Figure 4). */
export interface NetworkSummary {
  readonly nodes: number;
  /** Undefined where there are too many nodes to look at. */
  readonly layout: NetworkLayout | undefined;
  /** In Graphviz's language. */
  readonly dot: string;
  /** The calls that rebuild it. */
  readonly script: string;
}

export type { NetworkLayout, StrategyName };
