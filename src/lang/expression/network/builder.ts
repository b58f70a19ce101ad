import type { Span } from "../../../core/errors.ts";
import type { Centering } from "../../../core/grid.ts";
import type { FieldSignature, Network, NodeId } from "./network.ts";

/**
 * Builds a network value by value ("create and connect", seed 001 § III.B). Equal values become one node:
 * constants are pooled and common sub-expressions found wherever they nest.
 */
export interface NetworkBuilder {
  constant(values: readonly number[], span?: Span): NodeId;
  source(field: FieldSignature, component?: number, span?: Span): NodeId;
  coordinates(centering: Centering, span?: Span): NodeId;
  /**
   * Applies a filter by name: picks the overload by the inputs' types, recentres mixed centrings to nodes (with a
   * note), folds constants, expands composites. Throws TypeError with the span, the types got and the ones due.
   */
  apply(filter: string, inputs: readonly NodeId[], span?: Span): NodeId;
  recenter(input: NodeId, to: Centering, span?: Span): NodeId;
  output(name: string, node: NodeId): void;
  /** The finished network without what no output needs. */
  build(): Network;
}
